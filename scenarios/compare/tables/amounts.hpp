#pragma once

#include <string>

/// Numbers as sentences name them.
namespace lagnet {

/// "1e-3", "3e-2", "0.5" as "5e-1"; numbers from 1 on and those that are not above 0 as they are.
std::string level_text(double level);

/// Three digits, no exponent where one can do without: "182", "12.4", "0.0031", "2.7e-9".
std::string short_number(double value);

/// What a column of progress.csv counts, with its unit: "182 s", "1.2 MB", "340 rounds", "12 messages".
std::string amount_text(double value, const std::string& column);

}  // namespace lagnet
