#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

namespace lagnet::tools {

/// Refuses nan, which is within every CLI::Range, and infinities. Its conversion reports what is not a number at all.
inline std::string refuse_infinite(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return end == text.c_str() || std::isfinite(number) ? "" : "Value " + text + " is not a finite number";
}

/// Refuses numbers below 0. CLI::NonNegativeNumber also prints the upper end of its range, with 309 digits.
inline std::string refuse_below_zero(const std::string& text) {
  return std::strtod(text.c_str(), nullptr) < 0 ? "Value " + text + " is not a number at least 0" : "";
}

/// Refuses a sign, which CLI11 lets pass: -1 as an unsigned number is 2^64 - 1.
inline std::string refuse_negative(const std::string& text) {
  return text.starts_with('-') ? "Value " + text + " is not an integer at least 0" : "";
}

/// Refuses the name that a shell makes of a variable that is not set: taken for no name at all it would have results
/// written to, and replaced in, the default place.
inline std::string refuse_empty(const std::string& text) { return text.empty() ? "expected a name, found none" : ""; }

}  // namespace lagnet::tools
