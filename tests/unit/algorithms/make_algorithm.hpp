#pragma once

#include <memory>
#include <utility>

#include "scenarios/assembly/catalogues/algorithms.hpp"

namespace lagnet {

namespace detail {

template <class... Lines>
struct Overloads : Lines... {};
template <class... Lines>
Overloads<Lines...> overloads(MethodList<Lines...>);

template <class Options, class Method>
std::unique_ptr<Algorithm> made(const MethodLine<Options, Method>&, const Options& options, MethodInput given) {
  return std::make_unique<Method>(options, std::move(given));
}

}  // namespace detail

/// The method of these options, for tests that run many methods alike: the catalogue's line with them makes it.
template <class Options>
std::unique_ptr<Algorithm> make_algorithm(const Options& options, MethodInput given) {
  return detail::made<Options>(decltype(detail::overloads(AllMethods()))(), options, std::move(given));
}

}  // namespace lagnet
