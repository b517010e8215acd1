#pragma once

#include <string>

#include "scenarios/words/words.hpp"

namespace lagnet {

/// What a column of progress.csv counts, with its unit: "182 s", "1.2 MB", "340 rounds", "12 messages".
std::string amount_text(double value, const std::string& column);

}  // namespace lagnet
