#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "scenarios/json/choice.hpp"

/// A field that is one of several options structs (OneOf in sim/base/options.hpp), as the JSON of a Choice: {"kind":
/// "top_k", "k": 5}. So rooms that know no JSON can declare one. Include it wherever fields of a struct that has one
/// are walked over.
namespace lagnet {

namespace detail {

template <class T, class Chosen>
struct KindsOf;
template <class T, class First, class... Others>
struct KindsOf<T, std::variant<First, Others...>> {
  static constexpr std::string_view first = First::kind;
  static const Catalogue<T>& catalogue() {
    static const auto all = Catalogue<T>::template of<First, Others...>([](const auto& options) { return T(options); });
    return all;
  }
};

}  // namespace detail

/// The family of a OneOf, for listings and for Choice.
template <IsOneOf T>
struct OneOfFamily {
  using Kinds = detail::KindsOf<T, typename T::Chosen>;
  static constexpr std::string_view key = "kind", called = T::called, default_kind = Kinds::first;
  static const Catalogue<T>& catalogue() { return Kinds::catalogue(); }
};

template <IsOneOf T>
struct OneOfJson {
  using AsChoice = Choice<OneOfFamily<T>>;
  static void read(const Json& value, T& out, const std::string& pointer, Diagnostics& diagnostics) {
    AsChoice choice;
    choice.read(value, pointer, diagnostics);
    out = choice.make();
  }
  static Json write(const T& value) {
    return value.visit([](const auto& options) { return AsChoice(options).write(); });
  }
  static Json schema(SchemaBuilder& builder) { return AsChoice::schema(builder); }
  static std::string type_words() { return AsChoice::type_words(); }
};

}  // namespace lagnet
