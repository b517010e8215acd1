#include "sim/base/options.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lagnet {

namespace {

std::string range_words(const Limits& limits) {
  const bool has_low = std::isfinite(limits.low), has_high = std::isfinite(limits.high);
  if (has_low && has_high && !limits.low_excluded && !limits.high_excluded)
    return fmt::format("from {} to {}", limits.low, limits.high);
  std::string text;
  if (has_low) text = fmt::format("{} {}", limits.low_excluded ? "above" : "at least", limits.low);
  if (has_low && has_high) text += " and ";
  if (has_high) text += fmt::format("{} {}", limits.high_excluded ? "below" : "at most", limits.high);
  return text;
}

}  // namespace

std::string limits_words(const Limits& limits) {
  const std::string range = range_words(limits);
  if (limits.word_for_none.empty()) return range;
  return range + (range.empty() ? "or " : ", or ") + std::string(limits.word_for_none);
}

}  // namespace lagnet
