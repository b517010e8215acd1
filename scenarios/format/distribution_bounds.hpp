#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/format/distributions.hpp"
#include "scenarios/json/choice.hpp"

namespace lagnet {

/// The extremes of a choice that is a distribution, of whatever catalogue; nothing if it is something else.
template <class Family, class... Options>
std::optional<Extremes> extremes_among(const Choice<Family>& numbers, KindList<Options...>) {
  std::optional<Extremes> found;
  const auto look = [&](const auto* options) {
    if (options) found = extremes(*options);
  };
  (look(numbers.template options_as<Options>()), ...);
  return found;
}

/// Reports a distribution that could give a number beyond the limits, whether or not this seed draws one.
template <class Family>
void check_drawn(CheckReport& report, std::string_view key, const Choice<Family>& numbers, const Limits& limits) {
  const auto found = extremes_among(numbers, Distributions());
  if (!found || (limits.contains(found->low) && limits.contains(found->high))) return;
  const double wrong = limits.contains(found->low) ? found->high : found->low;
  const std::string expected = "numbers " + limits_words(limits);
  if (std::isfinite(wrong))
    report(key, expected, wrong);
  else
    report(key, expected, "infinity");  // which JSON cannot show
}

}  // namespace lagnet
