#include "scenarios/json/quantities.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/trim.hpp>
#include <cctype>
#include <charconv>
#include <map>

namespace lagnet {

namespace {

struct Quantity {
  std::string_view key_end;
  std::string_view unit;                     // of its numbers
  std::map<std::string_view, double> units;  // how many of that unit each of these is
};

const Quantity* quantity_of(std::string_view key) {
  static const Quantity quantities[] = {
      // "_bytes_per_s" ends like "_s", so it comes first
      {"bytes_per_s",
       "bytes per second",
       {{"B/s", 1},
        {"kB/s", 1e3},
        {"MB/s", 1e6},
        {"GB/s", 1e9},
        {"kbit/s", 125},
        {"Mbit/s", 125e3},
        {"Gbit/s", 125e6},
        {"kbit", 125},
        {"Mbit", 125e3},
        {"Gbit", 125e6}}},
      {"_ms", "ms", {{"us", 1e-3}, {"ms", 1}, {"s", 1e3}, {"min", 6e4}}},
      {"_s", "s", {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}}},
  };
  for (const Quantity& quantity : quantities)
    if (key.ends_with(quantity.key_end)) return &quantity;
  return nullptr;
}

}  // namespace

std::optional<double> number_with_unit(std::string_view key, std::string_view text) {
  const Quantity* const quantity = quantity_of(key);
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!quantity || error != std::errc()) return std::nullopt;
  std::string unit(rest, text.data() + text.size());
  boost::algorithm::trim(unit);
  if (unit.empty()) return number;
  const auto factor = quantity->units.find(unit);
  if (factor == quantity->units.end()) return std::nullopt;
  return number * factor->second;
}

std::string known_units(std::string_view key) {
  std::string text;
  if (const Quantity* const quantity = quantity_of(key))
    for (const auto& [unit, factor] : quantity->units) text += (text.empty() ? "" : ", ") + std::string(unit);
  return text;
}

std::string_view unit_of_key(std::string_view key) {
  const Quantity* const quantity = quantity_of(key);
  return quantity ? quantity->unit : "";
}

/// For a text at a pointer that ends in _column, the hint is the key for names of columns.
std::string unit_hint(std::string_view pointer, std::string_view text) {
  const std::string_view key = pointer.substr(pointer.rfind('/') + 1);
  constexpr std::string_view column = "_column";
  if (key.ends_with(column))
    return fmt::format(" (the name of a column belongs to {}_name)", key.substr(0, key.size() - column.size()));
  const auto number = number_with_unit(key, text);
  if (!number || !std::isalpha(static_cast<unsigned char>(text.back()))) return "";
  return fmt::format(" (write {:.15g}: {} is in {})", *number, key, unit_of_key(key));
}

}  // namespace lagnet
