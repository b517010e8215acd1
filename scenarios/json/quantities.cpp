#include "scenarios/json/quantities.hpp"

#include <boost/algorithm/string/trim.hpp>
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

}  // namespace lagnet
