#include "scenarios/format/kinds/algorithm_kinds.hpp"

#include <vector>

namespace lagnet {

std::string kinds_that_offer_timing() {
  std::vector<std::string> kinds;
  for (const auto& entry : AlgorithmFamily::catalogue().entries())
    if (entry->make(entry->defaults().get()).traits.timing_only) kinds.emplace_back(entry->kind);
  return comma_list(kinds);
}

}  // namespace lagnet
