#include "scenarios/json/units.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <map>
#include <string>

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

std::string unit_hint(std::string_view pointer, std::string_view text) {
  const std::string_view key = pointer.substr(pointer.rfind('/') + 1);
  const Quantity* const quantity = quantity_of(key);
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!quantity || error != std::errc()) return "";
  std::string unit(rest, text.data() + text.size());
  boost::algorithm::trim(unit);
  const auto factor = quantity->units.find(unit);
  if (factor == quantity->units.end()) return "";
  return fmt::format(" (write {:.15g}: {} is in {})", number * factor->second, key, quantity->unit);
}

}  // namespace lagnet
