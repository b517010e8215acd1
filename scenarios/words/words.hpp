#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Numbers, sizes, durations, counts and lists as people read them.
namespace lagnet {

/// "1 run", "3 runs".
template <std::integral Number>
std::string counted(Number count, std::string_view thing) {
  return std::to_string(count).append(" ").append(thing).append(count == 1 ? "" : "s");
}

/// "a, b and 180 more": the first of many texts.
std::string first_of(const std::vector<std::string>& texts, std::size_t most, const std::string& between = ", ");

/// Three digits, without an exponent if possible: "182", "12.4", "0.0031", "2.7e-9".
std::string short_number(double value);

/// "1e-3", "3e-2", "0.5" as "5e-1"; numbers from 1 on and those that are not above 0 as they are.
std::string level_text(double level);

/// "999 B", "1.23 MB".
std::string size_text(double bytes);

/// "42 s", "12 min", "3 h 10 min".
std::string duration_text(double seconds);

}  // namespace lagnet
