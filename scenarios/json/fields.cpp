#include "scenarios/json/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>

#include "scenarios/json/units.hpp"

namespace lagnet {

namespace {

std::string words(std::string_view type, const Limits& limits) {
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
  diagnostics.add(pointer, words("an integer", limits), shown(value) + hint);
}

/// Whether it is another number as a double.
bool is_rounded_as_real(auto whole) {
  constexpr double end = 18446744073709551616.0;  // 2^64, which no integer reaches
  const auto real = static_cast<double>(whole);
  return std::abs(real) >= end / (std::signed_integral<decltype(whole)> ? 2 : 1) ||
         static_cast<decltype(whole)>(real) != whole;
}

}  // namespace

Limits natural(Limits limits) {
  if (limits.low < 0) {
    limits.low = 0;
    limits.low_excluded = false;
  }
  return limits;
}

void read_scalar(const Json& value, bool& out, const Limits&, const std::string& pointer, Diagnostics& diagnostics) {
  if (!value.is_boolean()) return diagnostics.add(pointer, "true or false", shown(value));
  out = value.get<bool>();
}

void read_scalar(const Json& value, std::int64_t& out, const Limits& limits, const std::string& pointer,
                 Diagnostics& diagnostics) {
  read_integer(value, out, limits, pointer, diagnostics);
}

void read_scalar(const Json& value, std::uint64_t& out, const Limits& limits, const std::string& pointer,
                 Diagnostics& diagnostics) {
  read_integer(value, out, natural(limits), pointer, diagnostics);
}

void read_scalar(const Json& value, double& out, const Limits& limits, const std::string& pointer,
                 Diagnostics& diagnostics) {
  const double number = value.is_number() ? value.get<double>() : 0.0;
  if (!value.is_number() || !std::isfinite(number) || !limits.contains(number)) {
    const std::string hint = value.is_string() ? unit_hint(pointer, value.get<std::string>()) : "";
    return diagnostics.add(pointer, words("a number", limits), shown(value) + hint);
  }
  const bool is_rounded = value.is_number_unsigned()  ? is_rounded_as_real(value.get<std::uint64_t>())
                          : value.is_number_integer() ? is_rounded_as_real(value.get<std::int64_t>())
                                                      : false;
  if (is_rounded) return diagnostics.add(pointer, "a number that a double holds exactly", shown(value));
  out = number;
}

void read_scalar(const Json& value, std::string& out, const Limits&, const std::string& pointer,
                 Diagnostics& diagnostics) {
  if (!value.is_string()) return diagnostics.add(pointer, "a string", shown(value));
  out = value.get<std::string>();
}

void read_scalar(const Json& value, std::filesystem::path& out, const Limits& limits, const std::string& pointer,
                 Diagnostics& diagnostics) {
  std::string name = out.string();
  read_scalar(value, name, limits, pointer, diagnostics);
  out = name;
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

void ObjectReader::finish() {
  if (!is_object()) return;
  std::vector<std::string> absent, present;  // which is hardly what a misspelt one was meant to be, but may be by --set
  for (const std::string& key : known_) (value_.contains(key) ? present : absent).push_back(key);
  for (const auto& [key, member] : value_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::string expected = known_.empty() ? "no keys here" : "one of the keys " + comma_list(known_);
    std::string hint = did_you_mean(key, absent);
    if (hint.empty()) hint = did_you_mean(key, present);
    diagnostics_.add(child_pointer(pointer_, key), expected, shown(Json(key)) + hint);
  }
  for (const auto& check : checks_) check();
}

}  // namespace lagnet
