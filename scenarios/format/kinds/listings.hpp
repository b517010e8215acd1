#pragma once

#include <string_view>
#include <vector>

#include "scenarios/json/choice.hpp"

namespace lagnet {

/// One list of kinds, for `lagnet list` and `lagnet describe`. Latencies and speeds may also be distributions, which
/// their lists do not repeat. A name may be in two lists if it means two things, as "exponential" and "trace" do.
struct Listing {
  std::string_view what;  // "topologies"
  std::vector<const KindOfOptions*> kinds;
};
std::vector<Listing> listings();

}  // namespace lagnet
