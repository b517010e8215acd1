#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "sim/base/errors.hpp"

/// How an options struct declares its fields once, for the code that reads, checks, writes or explains it:
///
///     struct StarOptions {
///       std::int64_t agents = 0;
///       std::int64_t center = 0;
///       static void fields(auto& self, auto& field) {
///         field("agents", self.agents, "number of agents, the center included", at_least(1).required());
///         field("center", self.center, "the agent in the middle", at_least(0));
///       }
///       void check(auto& report) const {  // optional: what no single field can say
///         if (center >= agents) report("center", "an agent below agents", center);
///       }
///     };
///
/// fields() must declare the same fields for all values. The values must be members and the texts literals or
/// constants, because code that walks over fields keeps pointers to them.
///
/// Fields are bool, std::int64_t, double, std::string, std::filesystem::path (a file, relative to the file with the
/// options), an enum with spellings, such an enum or a double (std::variant), RoundCounts, an options struct, one of
/// several (OneOf), or a std::optional or std::vector of these (no list of bool). A default is the value after default
/// construction; an empty optional means "by the rule that the description states". This file knows no file format.
namespace lagnet {

/// The values a number may take, and whether the key must be given.
struct Limits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_excluded = false;
  bool high_excluded = false;
  bool is_required = false;
  std::string_view word_for_none = {};  // a text that empties an optional, as null does: "theory"

  constexpr Limits required() const {
    Limits copy = *this;
    copy.is_required = true;
    return copy;
  }
  constexpr Limits or_word(std::string_view word) const {
    Limits copy = *this;
    copy.word_for_none = word;
    return copy;
  }
  constexpr bool contains(double x) const {
    return (low_excluded ? x > low : x >= low) && (high_excluded ? x < high : x <= high);
  }
};

/// "at least 1", "above 0", "from 0 to 1", "at least 0 and below 1", "above 0, or theory"; "" without limits.
std::string limits_words(const Limits& limits);

/// Options without a field.
struct NoOptions {
  static void fields(auto&, auto&) {}
};

/// One of several options structs, each with a name `kind` and a `summary`; the first is the default. A type of its own
/// derives from it and says in `called` what it is a kind of:
///
///     struct ShapeOptions : OneOf<CircleOptions, SquareOptions> {
///       static constexpr std::string_view called = "shape";
///       using OneOf::OneOf;
///     };
template <class... Kinds>
class OneOf {
 public:
  using Chosen = std::variant<Kinds...>;
  OneOf() = default;
  template <class Kind>
  requires(std::same_as<Kind, Kinds> || ...) OneOf(Kind options) : chosen_(std::move(options)) {}  // NOLINT: it is one

  template <class Visitor>
  auto visit(const Visitor& visitor) const {
    return std::visit(visitor, chosen_);
  }
  std::string_view kind() const {
    return visit([](const auto& options) -> std::string_view { return options.kind; });
  }

 private:
  Chosen chosen_;
};

constexpr Limits any_value() { return {}; }
constexpr Limits at_least(double low) { return {.low = low}; }
constexpr Limits above(double low) { return {.low = low, .low_excluded = true}; }
constexpr Limits above_to(double low, double high) { return {.low = low, .high = high, .low_excluded = true}; }
constexpr Limits between(double low, double high) {
  return {.low = low, .high = high, .low_excluded = true, .high_excluded = true};
}
constexpr Limits within(double low, double high) { return {.low = low, .high = high}; }

/// A name of an enumerator in files. Define beside an enum E: `constexpr auto spellings(E) { return
/// std::array{Spelling{E::first, "first"}, ...}; }`.
template <class Enum>
struct Spelling {
  Enum value;
  std::string_view name;
};
template <class Enum>  // clang derives none for aggregates before version 17
Spelling(Enum, const char*)->Spelling<Enum>;
/// The name of an enumerator.
template <class Enum>
std::string_view spelled(Enum value) {
  for (const auto& spelling : spellings(value))
    if (spelling.value == value) return spelling.name;
  throw InternalError("an enumerator without a spelling");
}

}  // namespace lagnet
