#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lagnet {

/// A constant in use, with its name.
using Constant = std::pair<std::string, double>;

/// The real-valued options of a struct that are not optional.
template <class Options>
std::vector<Constant> constants_of(const Options& options) {
  std::vector<Constant> all;
  auto visit = [&]<class Value>(const char* name, const Value& value, const auto&...) {
    if constexpr (std::is_same_v<Value, double>) all.emplace_back(name, value);
  };
  Options::fields(options, visit);
  return all;
}

}  // namespace lagnet
