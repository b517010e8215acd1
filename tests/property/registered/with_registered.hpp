#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/kinds/python_class.hpp"

namespace lagnet::test {

/// One thing of a registered kind, with options that are worth a test.
template <class Product>
struct Registered {
  std::string kind;  // as in scenarios
  std::string name;  // in messages of tests
  Product made;
};

/// The cases, and of every registered kind that none of them is of one with default options: a kind that is added is
/// tested before anybody lists it here.
template <class Family, class Product, class... Context>
std::vector<Registered<Product>> with_registered(std::vector<Registered<Product>> cases, const Context&... context) {
  for (const auto& entry : Family::catalogue().entries()) {
    if (entry->kind == python_kind) continue;  // classes of the user's
    const auto is_of = [&](const auto& one) { return one.kind == entry->kind; };
    if (std::ranges::none_of(cases, is_of))
      cases.push_back(
          {std::string(entry->kind), std::string(entry->kind), entry->make(entry->defaults().get(), context...)});
  }
  return cases;
}

}  // namespace lagnet::test
