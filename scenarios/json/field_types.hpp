#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "sim/base/options.hpp"

/// What the types of declared fields are told apart by.
namespace lagnet {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

/// Takes any field and does nothing.
struct IgnoreField {
  template <class T>
  void operator()(std::string_view, T&, std::string_view, Limits = {}) {}
};

/// Declares its fields as sim/base/options.hpp says.
template <class T>
concept OptionsStruct = requires(T& options, IgnoreField& field) {
  std::remove_const_t<T>::fields(options, field);
};

template <class T>
concept SpelledEnum = std::is_enum_v<T> && requires(T value) {
  spellings(value);
};

/// A type that brings its own reader and writer; has_value() says whether an absent key may leave it as it is.
template <class T>
concept ReadsItself = requires(T& self, const Json& value, const std::string& pointer, Diagnostics& diagnostics) {
  self.read(value, pointer, diagnostics);
  { std::as_const(self).write() } -> std::same_as<Json>;
  { std::as_const(self).has_value() } -> std::same_as<bool>;
};

/// One of several options structs (OneOf in sim/base/options.hpp); scenarios/json/one_of.hpp reads and writes it.
template <class T>
concept IsOneOf = requires(const T& options) {
  typename T::Chosen;
  { T::called } -> std::convertible_to<std::string_view>;
  { options.kind() } -> std::same_as<std::string_view>;
};
template <IsOneOf T>
struct OneOfJson;

}  // namespace lagnet
