#include "scenarios/assembly/make_topology.hpp"

#include <fmt/format.h>

namespace lagnet {

MadeTopology make_changing_topology(const Choice<TopologyFamily>& topology, std::uint64_t seed, Problems& problems) {
  MadeTopology made{topology.make(seed), {}};
  const auto& changes = topology.common().changes;
  if (changes) made = changes->make(ChangeContext{made.all, seed, problems});
  if (problems.empty() && !made.all.connected())
    problems.add("/topology", changes ? "a connected graph, all edges of the run together" : "a connected graph",
                 fmt::format("{} components", made.all.components()));
  return made;
}

}  // namespace lagnet
