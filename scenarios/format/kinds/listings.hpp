#pragma once

#include <string_view>
#include <vector>

#include "scenarios/json/choice.hpp"

namespace lagnet {

/// One list of what can be named, for `lagnet list` and `lagnet describe`. Latencies and speeds may be distributions,
/// too, which their lists do not repeat. A kind may stand in two lists if it is two things ("exponential" and "trace"
/// are).
struct Listing {
  std::string_view what;  // "topologies"
  std::vector<const KindOfOptions*> kinds;
};
std::vector<Listing> listings();

}  // namespace lagnet
