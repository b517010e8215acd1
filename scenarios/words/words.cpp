#include "scenarios/words/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

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

std::string first_of(const std::vector<std::string>& texts, std::size_t most, const std::string& between) {
  const std::size_t shown = std::min(texts.size(), most);
  const std::string text = fmt::format("{}", fmt::join(texts.begin(), texts.begin() + std::ptrdiff_t(shown), between));
  return shown == texts.size() ? text : fmt::format("{}{}and {} more", text, between, texts.size() - shown);
}

std::string size_text(double bytes) {
  constexpr std::array prefixes{" B", " kB", " MB", " GB", " TB", " PB"};
  constexpr double thousand = 1000;
  std::size_t k = 0;
  for (; k + 1 < prefixes.size() && std::abs(bytes) >= thousand; ++k) bytes /= thousand;
  return short_number(bytes) + prefixes[k];
}

std::string duration_text(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * minute) return fmt::format("{:.0f} min", seconds / minute);
  const double minutes = std::round(seconds / minute);
  return fmt::format("{:.0f} h {:.0f} min", std::floor(minutes * minute / hour), std::fmod(minutes, minute));
}

}  // namespace lagnet
