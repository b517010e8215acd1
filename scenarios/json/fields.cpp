#include "scenarios/json/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>

#include "scenarios/json/quantities.hpp"
#include "scenarios/json/schema.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

std::string words_with(std::string_view type, const Limits& limits) {
  const std::string range = limits_words(limits);
  return range.empty() ? std::string(type) : fmt::format("{} {}", type, range);
}

/// Any integral type: an integer of JSON that it can hold and the limits allow.
template <class Integer>
void read_integer(const Json& value, Integer& out, const Limits& limits, const std::string& pointer,
                  Diagnostics& diagnostics) {
  bool is_good = false;
  Integer number = 0;
  if (value.is_number_unsigned()) {  // every non-negative integer of a file
    const auto whole = value.get<std::uint64_t>();
    is_good = std::in_range<Integer>(whole);
    number = static_cast<Integer>(whole);
  } else if (value.is_number_integer()) {
    const auto whole = value.get<std::int64_t>();
    is_good = std::in_range<Integer>(whole);
    number = static_cast<Integer>(whole);
  } else if (value.is_number_float()) {  // 1e3, as far as a double is exact
    constexpr double exact = 9007199254740992;
    const auto real = value.get<double>();
    is_good = std::trunc(real) == real && std::abs(real) <= exact && (real >= 0 || std::signed_integral<Integer>);
    if (is_good) number = static_cast<Integer>(real);
  }
  if (is_good && limits.contains(static_cast<double>(number))) {
    out = number;
    return;
  }
  const std::string hint = value.is_string() ? unit_hint(pointer, value.get<std::string>()) : "";
  diagnostics.add(pointer, words_with("an integer", limits), shown(value) + hint);
}

/// Whether it is another number as a double.
bool is_rounded_as_real(auto whole) {
  constexpr double end = 18446744073709551616.0;  // 2^64, which no integer reaches
  const auto real = static_cast<double>(whole);
  return std::abs(real) >= end / (std::signed_integral<decltype(whole)> ? 2 : 1) ||
         static_cast<decltype(whole)>(real) != whole;
}

class JsonType final : public FieldType {
  void read(const Json& value, void* out, const Limits&, const std::string&, Diagnostics&) const override {
    *static_cast<Json*>(out) = value;
  }
  Json write(const void* value, const Limits&) const override { return *static_cast<const Json*>(value); }
  Json schema(SchemaBuilder&, const void*, const Limits&) const override { return Json::object(); }  // anything
  std::string words() const override { return "any value"; }
};

class BoolType final : public FieldType {
  void read(const Json& value, void* out, const Limits&, const std::string& pointer,
            Diagnostics& diagnostics) const override {
    if (!value.is_boolean()) return diagnostics.add(pointer, "true or false", shown(value));
    *static_cast<bool*>(out) = value.get<bool>();
  }
  Json write(const void* value, const Limits&) const override { return Json(*static_cast<const bool*>(value)); }
  Json schema(SchemaBuilder&, const void*, const Limits&) const override { return Json{{"type", "boolean"}}; }
  std::string words() const override { return "true or false"; }
};

/// 4.0 and 1e3 are integers, too, as far as a double is exact.
template <class Integer>
class IntegerType final : public FieldType {
  static constexpr bool is_natural = std::unsigned_integral<Integer>;
  void read(const Json& value, void* out, const Limits& limits, const std::string& pointer,
            Diagnostics& diagnostics) const override {
    read_integer(value, *static_cast<Integer*>(out), real_limits(limits), pointer, diagnostics);
  }
  Json write(const void* value, const Limits&) const override { return Json(*static_cast<const Integer*>(value)); }
  Json schema(SchemaBuilder&, const void*, const Limits& limits) const override {
    return number_schema("integer", real_limits(limits));
  }
  std::string words() const override { return "integer"; }
  Limits real_limits(const Limits& limits) const override {
    Limits real = limits;
    if (is_natural && limits.low < 0) {
      real.low = 0;
      real.low_excluded = false;
    }
    return real;
  }
  void list_integers(const void* value, const std::string& pointer, std::string_view key,
                     std::vector<IntegerOption>& found) const override {
    if (!is_natural) found.push_back({pointer, std::string(key), *static_cast<const std::int64_t*>(value)});
  }
};

class RealType final : public FieldType {
  void read(const Json& value, void* out, const Limits& limits, const std::string& pointer,
            Diagnostics& diagnostics) const override {
    const double number = value.is_number() ? value.get<double>() : 0.0;
    if (!value.is_number() || !std::isfinite(number) || !limits.contains(number)) {
      const std::string hint = value.is_string() ? unit_hint(pointer, value.get<std::string>()) : "";
      return diagnostics.add(pointer, words_with("a number", limits), shown(value) + hint);
    }
    const bool is_rounded = value.is_number_unsigned()  ? is_rounded_as_real(value.get<std::uint64_t>())
                            : value.is_number_integer() ? is_rounded_as_real(value.get<std::int64_t>())
                                                        : false;
    if (is_rounded) return diagnostics.add(pointer, "a number that a double holds exactly", shown(value));
    *static_cast<double*>(out) = number;
  }
  Json write(const void* value, const Limits&) const override {
    const double number = *static_cast<const double*>(value);
    LAGNET_CHECK(std::isfinite(number), "JSON has no {}; an optional says \"none\"", number);
    return Json(number);
  }
  Json schema(SchemaBuilder&, const void*, const Limits& limits) const override {
    return number_schema("number", limits);
  }
  std::string words() const override { return "number"; }
};

/// std::string or std::filesystem::path.
template <class Text>
class TextType final : public FieldType {
  static constexpr bool is_path = std::same_as<Text, std::filesystem::path>;
  void read(const Json& value, void* out, const Limits&, const std::string& pointer,
            Diagnostics& diagnostics) const override {
    if (!value.is_string()) return diagnostics.add(pointer, "a string", shown(value));
    *static_cast<Text*>(out) = value.get<std::string>();
  }
  Json write(const void* value, const Limits&) const override {
    const Text& text = *static_cast<const Text*>(value);
    if constexpr (is_path)
      return Json(text.string());
    else
      return Json(text);
  }
  Json schema(SchemaBuilder&, const void*, const Limits&) const override { return Json{{"type", "string"}}; }
  std::string words() const override { return "string"; }
  void change_paths(Json& value, const PathChange& change) const override {
    if (is_path && value.is_string()) value = change(value.get<std::string>());
  }
};

}  // namespace

template <>
const FieldType& field_type<Json>() {
  return default_of<JsonType>();
}
template <>
const FieldType& field_type<bool>() {
  return default_of<BoolType>();
}
template <>
const FieldType& field_type<std::int64_t>() {
  return default_of<IntegerType<std::int64_t>>();
}
template <>
const FieldType& field_type<std::uint64_t>() {
  return default_of<IntegerType<std::uint64_t>>();
}
template <>
const FieldType& field_type<double>() {
  return default_of<RealType>();
}
template <>
const FieldType& field_type<std::string>() {
  return default_of<TextType<std::string>>();
}
template <>
const FieldType& field_type<std::filesystem::path>() {
  return default_of<TextType<std::filesystem::path>>();
}

std::optional<std::size_t> read_name(const Json& value, const std::vector<std::string>& names,
                                     const std::string& pointer, Diagnostics& diagnostics) {
  std::string suggestion;
  if (value.is_string()) {
    const auto name = value.get<std::string>();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    suggestion = did_you_mean(name, names);
  }
  diagnostics.add(pointer, "one of " + comma_list(names), shown(value) + suggestion);
  return std::nullopt;
}

void CheckReport::add(std::string_view key, std::string_view expected, std::string found) {
  diagnostics_.add(key.empty() ? pointer_ : fmt::format("{}/{}", pointer_, key), std::string(expected),
                   std::move(found));
}

ObjectReader::ObjectReader(const Json& value, std::string pointer, Diagnostics& diagnostics, std::string_view expected)
    : value_(value), pointer_(std::move(pointer)), diagnostics_(diagnostics) {
  if (!is_object()) diagnostics_.add(pointer_, std::string(expected), shown(value_));
}

const Json* ObjectReader::take(std::string_view key) {
  LAGNET_CHECK(std::find(known_.begin(), known_.end(), key) == known_.end(), "field {} is declared twice", key);
  known_.emplace_back(key);
  if (!is_object()) return nullptr;
  const auto member = value_.find(std::string(key));
  return member == value_.end() ? nullptr : &*member;
}

void ObjectReader::missing(std::string_view key, std::string_view description) {
  diagnostics_.add(pointer_, fmt::format("key \"{}\" ({})", key, description));
}

void ObjectReader::read(const StructType& type, void* options) {
  if (!is_object()) return;
  const std::size_t before = diagnostics_.count();
  type.set_defaults(options, value_);
  for (const Field& field : type.fields(options)) {
    if (const Json* value = take(field.key))
      field.type->read(*value, const_cast<void*>(field.value), field.limits, child_pointer(pointer_, field.key),
                       diagnostics_);
    else if (field.must_be_given())
      missing(field.key, field.description);
  }
  // Fields that could not be read hold defaults, about which a check would only mislead.
  if (!type.has_check() || diagnostics_.count() != before) return;
  checks_.push_back([this, &type, options] {
    CheckReport report(pointer_, diagnostics_);
    type.check(options, report);
  });
}

void ObjectReader::finish() {
  if (!is_object()) return;
  std::vector<std::string> absent, present;  // which is hardly what a misspelt one was meant to be, but may be by --set
  for (const std::string& key : known_) (value_.contains(key) ? present : absent).push_back(key);
  for (const auto& [key, member] : value_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::string expected = known_.empty() ? "no keys" : "one of the keys " + comma_list(known_);
    std::string hint = did_you_mean(key, absent);
    if (hint.empty()) hint = did_you_mean(key, present);
    diagnostics_.add(child_pointer(pointer_, key), expected, shown(Json(key)) + hint);
  }
  for (const auto& check : checks_) check();
}

}  // namespace lagnet
