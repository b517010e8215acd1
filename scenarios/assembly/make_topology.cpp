#include "scenarios/assembly/make_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "scenarios/assembly/memory_estimate.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "topologies/gossip.hpp"
#include "topologies/spectrum.hpp"
#include "topologies/strong_connectivity.hpp"

namespace lagnet {

MadeTopology make_changing_topology(const Choice<TopologyFamily>& topology, std::uint64_t seed,
                                    Diagnostics& diagnostics) {
  MadeTopology made{topology.make().make(seed), {}};
  const auto& changes = topology.common().changes;
  if (changes && made.all.is_directed())
    diagnostics.add("/topology/changes", "null, since every round has every link of a directed topology",
                    std::string(changes->kind()));
  else if (changes)
    made = changes->make(ChangeContext{made.all, seed, diagnostics});
  if (diagnostics.empty() && !made.all.connected() && made.all.is_directed())
    diagnostics.add("/topology", "", why_not_strongly_connected(made.all));
  else if (diagnostics.empty() && !made.all.connected())
    diagnostics.add("/topology", changes ? "a connected graph, all edges of the run together" : "a connected graph",
                    fmt::format("{} components", made.all.components()));
  return made;
}

MadeTopology make_changing_topology(const Scenario& scenario, const std::string& shown) {
  Diagnostics diagnostics(shown);
  check_graph_memory(scenario.topology.make().size, diagnostics);
  diagnostics.throw_if_any();
  std::optional<MadeTopology> made;
  collect_diagnostics(diagnostics, "/topology",
                      [&] { made = make_changing_topology(scenario.topology, scenario.seed, diagnostics); });
  diagnostics.throw_if_any();
  return std::move(*made);
}

Topology make_topology(const Scenario& scenario, const std::string& shown) {
  return make_changing_topology(scenario, shown).all;
}

NetworkFacts network_facts(const Topology& topology, bool with_eigenvalues) {
  const bool are_known = with_eigenvalues && !topology.is_directed();
  const Spectrum eigenvalues = are_known ? spectrum(topology) : Spectrum();
  NetworkFacts facts{.agents = topology.agents(),
                     .max_degree = topology.max_degree(),
                     .laplacian_max = eigenvalues.laplacian_max,
                     .algebraic_connectivity = eigenvalues.algebraic_connectivity};
  const auto plain = [](const Edge& edge) { return edge.weight == 1; };
  if (!std::ranges::all_of(topology.edges(), plain))
    for (AgentId a = 0; a < topology.agents(); ++a) {
      std::vector<double>& weights = facts.link_weights.emplace_back();
      for (const EdgeAttributes& edge : topology.neighbor_edges(a)) weights.push_back(edge.weight);
    }
  return facts;
}

void add_gossip(NetworkFacts& facts, const Topology& topology, const SparseMatrix& w) {
  facts.gossip = gossip_rows(topology, w);
  const GossipSpectrum spectrum = gossip_spectrum(w);
  facts.gossip_rho = spectrum.rho;
  facts.gossip_lowest = spectrum.lowest;
  facts.gossip_second = spectrum.second;
}

}  // namespace lagnet
