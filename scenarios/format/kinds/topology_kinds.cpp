#include "scenarios/format/kinds/topology_kinds.hpp"

#include <algorithm>

namespace lagnet {

GraphSize SequenceOptions::size() const {
  GraphSize all;
  for (const Choice<GraphFamily>& graph : graphs) {
    if (!graph.has_value()) continue;
    const GraphSize one = graph.make().size;
    all = {std::max(all.agents, one.agents), all.edges + one.edges};
  }
  return all;
}

std::optional<std::string_view> change_of(const Choice<TopologyFamily>& topology) {
  if (topology.options_as<SequenceOptions>()) return SequenceOptions::kind;
  const auto& changes = topology.common().changes;
  return changes ? std::optional(changes->kind()) : std::nullopt;
}

}  // namespace lagnet
