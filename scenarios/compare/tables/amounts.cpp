#include "scenarios/compare/tables/amounts.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

#include "scenarios/format/result_columns.hpp"

namespace lagnet {

namespace {

/// 2.70000e-09 as "2.7e-9".
std::string with_exponent(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;  // inf and nan
  std::string mantissa = text.substr(0, e);
  if (mantissa.find('.') != std::string::npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.ends_with('.')) mantissa.pop_back();
  }
  return fmt::format("{}e{}", mantissa, std::stoi(text.substr(e + 1)));
}

}  // namespace

std::string level_text(double level) {
  constexpr int digits = 6;
  return level > 0 && level < 1 ? with_exponent(level, digits) : fmt::format("{:g}", level);
}

std::string short_number(double value) {
  constexpr double smallest = 1e-3, largest = 1e6;
  constexpr int digits = 3;
  const double size = std::abs(value);
  if (!std::isfinite(value) || size == 0) return fmt::format("{:g}", value);
  if (size < smallest || size >= largest) return with_exponent(value, digits);
  if (size >= 100) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}g}", value, digits);
}

std::string amount_text(double value, const std::string& column) {
  const std::string_view unit = unit_of_column(column);
  if (unit == "s") return short_number(value) + " s";
  if (column == "bytes" || unit == "B" || unit == "bytes") {
    constexpr std::array prefixes{" B", " kB", " MB", " GB", " TB", " PB"};
    constexpr double thousand = 1000;
    std::size_t k = 0;
    while (k + 1 < prefixes.size() && std::abs(value) >= thousand) {
      value /= thousand;
      ++k;
    }
    return short_number(value) + prefixes[k];
  }
  return fmt::format("{} {}", short_number(value), column == "round" ? "rounds" : column);
}

}  // namespace lagnet
