#include "scenarios/format/kinds/algorithm_kinds.hpp"

#include <vector>

namespace lagnet {

std::string kinds_that_offer_timing() {
  std::vector<std::string> kinds;
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    const AlgorithmTraits traits = entry->make(entry->defaults().get()).traits;
    if (traits.timing_only || !traits.timing_needs.empty()) kinds.emplace_back(entry->kind);
  }
  return comma_list(kinds);
}

}  // namespace lagnet
