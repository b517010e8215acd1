#include "scenarios/assembly/make_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/peers/fd_primal_dual.hpp"
#include "scenarios/assembly/gossip_file.hpp"
#include "scenarios/assembly/memory_estimate.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "sim/base/draws.hpp"
#include "topologies/gossip.hpp"
#include "topologies/graph_union.hpp"
#include "topologies/spectrum.hpp"
#include "topologies/structure.hpp"

namespace lagnet {

namespace {

/// All their edges; of none, and of graphs that do not fit together, what is useless.
Topology union_of(const GraphSequence& sequence, Diagnostics& diagnostics) {
  if (sequence.graphs.empty()) return Topology(1, {});
  GraphUnion all(sequence.graphs.front());
  for (std::size_t i = 1; i < sequence.graphs.size(); ++i)
    for (const Diagnostic& problem : all.add(sequence.graphs[i]))
      diagnostics.add(fmt::format("/topology/graphs/{}", i), problem.expected, problem.found);
  Topology made = all.topology();
  if (!made.connected())
    diagnostics.add("/topology/graphs", "the union over all graphs connected",
                    fmt::format("{} components", made.components()));
  return made;
}

/// The one method whose Laplacian has the weights of the edges; others mix by gossip, or by the bare graph.
bool uses_edge_weights(const Scenario& scenario) { return scenario.algorithm.options_as<FdPrimalDualOptions>(); }

/// What runs on the sequence, whose edges these are.
MadeTopology turning(GraphSequence sequence, Topology all, std::uint64_t seed) {
  const auto shared = std::make_shared<const GraphSequence>(std::move(sequence));
  return {std::move(all), [shared, seed](const Network& network) { return schedule_of(*shared, network, seed); },
          shared};
}

}  // namespace

GraphSequence make_sequence(const SequenceOptions& options, std::uint64_t seed, Diagnostics& diagnostics) {
  GraphSequence made{
      .graphs = {},
      .rounds_each = options.rounds_each,
      .weights = options.weights == TurnWeights::of_round ? SequenceWeights::by_rule : SequenceWeights::of_union,
      .all_connected = options.connected == ConnectedGraphs::each};
  for (std::size_t i = 0; i < options.graphs.size(); ++i) {
    const std::string place = fmt::format("/topology/graphs/{}", i);
    // Random graphs of the same options are others, each time that one is made.
    const std::uint64_t own_seed = Draws(seed, Purpose{"graph_of_sequence"}, static_cast<AgentId>(i)).bits();
    collect_diagnostics(diagnostics, place, [&] {
      const Topology& graph = made.graphs.emplace_back(options.graphs[i].make().make(own_seed));
      need_undirected(graph, "");
      if (made.all_connected && !graph.connected())
        diagnostics.add(place, "a connected graph, as all of a sequence are",
                        fmt::format("{} components", graph.components()));
    });
  }
  return made;
}

MadeSchedule schedule_of(const GraphSequence& sequence, const Network& network, std::uint64_t seed,
                         RandomReceivers::Given given) {
  if (const auto& drawn = sequence.drawn)
    return std::make_shared<RandomReceivers>(
        network, RandomReceivers::Rule{.out = drawn->out, .is_balanced = drawn->is_balanced}, seed, std::move(given));
  std::vector<std::vector<bool>> active;
  for (const Topology& graph : sequence.graphs) {
    std::vector<bool>& links = active.emplace_back(network.links());
    for (const Edge& edge : graph.edges()) {
      links[network.find(edge.from, edge.to)] = true;
      if (!graph.is_directed()) links[network.find(edge.to, edge.from)] = true;
    }
  }
  return std::make_shared<GraphsInTurn>(std::move(active), sequence.rounds_each);
}

Topology make_topology(const SequenceOptions& options, std::uint64_t seed) {
  Diagnostics diagnostics("");
  const GraphSequence sequence = make_sequence(options, seed, diagnostics);
  if (!diagnostics.empty()) throw Diagnosed(diagnostics.list());
  Topology all = union_of(sequence, diagnostics);
  if (!diagnostics.empty()) throw Diagnosed(diagnostics.list());
  return all;
}

MadeTopology make_changing_topology(const Choice<TopologyFamily>& topology, std::uint64_t seed,
                                    Diagnostics& diagnostics) {
  const auto& changes = topology.common().changes;
  const GraphSource source = topology.make();
  if (source.sequence) {
    if (changes)
      diagnostics.add("/topology/changes", "null, since a sequence defines its own changes",
                      std::string(changes->kind()));
    const std::size_t before = diagnostics.count();
    GraphSequence sequence = source.sequence(seed, diagnostics);
    if (diagnostics.count() != before) return {Topology(1, {})};
    const bool is_listed = topology.options_as<SequenceOptions>();
    Topology all = is_listed ? union_of(sequence, diagnostics) : source.make(seed);
    return turning(std::move(sequence), std::move(all), seed);
  }
  MadeTopology made{source.make(seed)};
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

MadeTopology make_changing_topology(const Scenario& scenario, const std::string& shown, GraphUse use) {
  Diagnostics diagnostics(shown);
  check_graph_memory(scenario.topology.make().size, use, diagnostics);
  diagnostics.throw_if_any();
  std::optional<MadeTopology> made;
  collect_diagnostics(diagnostics, "/topology",
                      [&] { made = make_changing_topology(scenario.topology, scenario.seed, diagnostics); });
  diagnostics.throw_if_any();
  return std::move(*made);
}

Topology make_topology(const Scenario& scenario, const std::string& shown) {
  return make_changing_topology(scenario, shown, GraphUse::looked_at).all;
}

namespace {

/// The first agent that is no neighbor of the next one, or, the last, of agent 0.
std::optional<AgentId> cycle_gap(const Topology& topology) {
  const auto m = static_cast<AgentId>(topology.agents());
  for (AgentId a = 0; m > 1 && a < m; ++a)
    if (!std::ranges::binary_search(topology.neighbors(a), (a + 1) % m)) return a;
  return std::nullopt;
}

}  // namespace

NetworkFacts network_facts(const Topology& topology, bool with_eigenvalues) {
  const Spectrum eigenvalues = with_eigenvalues ? spectrum(topology) : Spectrum();
  NetworkFacts facts{.agents = topology.agents(),
                     .max_degree = topology.max_degree(),
                     .edges = std::ssize(topology.edges()),
                     .cycle_gap = cycle_gap(topology),
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

void add_graph_spectra(NetworkFacts& facts, const Topology& topology, const GraphSequence* sequence) {
  const auto spectrum_of = [](const Topology& graph) {
    std::vector<Edge> edges(graph.edges().begin(), graph.edges().end());
    for (Edge& edge : edges) edge.weight = 1;
    const Spectrum found = spectrum(Topology(graph.agents(), std::move(edges)));
    return GraphSpectrum{.largest = found.laplacian_max, .least = found.algebraic_connectivity};
  };
  if (sequence && sequence->all_connected) {
    for (const Topology& graph : sequence->graphs) facts.graphs.push_back(spectrum_of(graph));
    facts.turns = {static_cast<std::uint32_t>(facts.graphs.size()), sequence->rounds_each};
  } else if (!facts.changes) {
    const bool is_known = facts.laplacian_max > 0 && facts.link_weights.empty();
    facts.graphs.push_back(is_known
                               ? GraphSpectrum{.largest = facts.laplacian_max, .least = facts.algebraic_connectivity}
                               : spectrum_of(topology));
  }
}

void add_round_weights(NetworkFacts& facts, const GraphSequence& sequence, const GossipOptions& rule) {
  if (sequence.weights == SequenceWeights::by_rule && !rule.path.empty())
    throw Diagnosed({Diagnostic{"", "a rule, since each round's graph has a matrix of its own", rule.path.string()}});
  RoundWeights made{.W = {}, .lowest = 1};
  std::int64_t degree = sequence.drawn ? sequence.drawn->out : 0;
  for (const Topology& graph : sequence.graphs) {
    degree = std::max(degree, graph.max_degree());
    if (sequence.weights == SequenceWeights::even) continue;
    SparseMatrix& w = made.W.emplace_back(
        sequence.weights == SequenceWeights::of_edges ? matrix_of_edges(graph) : gossip_matrix(graph, rule.weights));
    if (!graph.edges().empty()) made.lowest = std::min(made.lowest, gossip_spectrum(w).lowest);
  }
  // By Gershgorin's circles of (W + W') / 2: an entry of 1 / (1 + degree), and the others of its row around it.
  if (sequence.weights == SequenceWeights::even)
    made.lowest = (1 - static_cast<double>(degree)) / (1 + static_cast<double>(degree));
  facts.round_weights = std::make_shared<const RoundWeights>(std::move(made));
  facts.turns = {static_cast<std::uint32_t>(std::max<std::size_t>(sequence.graphs.size(), 1)), sequence.rounds_each};
}

SparseMatrix make_gossip(const GossipOptions& options, const Topology& topology) {
  return options.path.empty() ? gossip_matrix(topology, options.weights) : read_gossip_file(options.path, topology);
}

Remarks unused_weights(const Scenario& scenario, const Topology& topology) {
  const AlgorithmTraits traits = scenario.algorithm.make().traits;
  const GossipOptions& gossip = scenario.topology.common().gossip;
  const std::string_view method = scenario.algorithm.kind();
  Remarks warnings;
  if (const std::string_view kind = scenario.topology.kind();
      scenario.topology.make().sequence && kind != SequenceOptions::kind &&
      (!gossip.path.empty() || gossip.weights != GossipOptions().weights))
    warnings.push_back(
        {"gossip_unused", {}, fmt::format("gossip is not used: the rounds of {} have weights of their own", kind)});
  if (!traits.needs_gossip && !gossip.path.empty())
    warnings.push_back(
        {"gossip_file_unused",
         {},
         fmt::format("{} is not used: {} does not mix with a gossip matrix", gossip.path.generic_string(), method)});
  const bool are_plain = std::ranges::all_of(topology.edges(), [](const Edge& edge) { return edge.weight == 1; });
  if (are_plain || uses_edge_weights(scenario)) return warnings;
  if (!traits.needs_gossip)
    warnings.push_back({"edge_weights_unused",
                        {},
                        fmt::format("the weights of the edges are not used: {} does not look at them", method)});
  else if (gossip.path.empty() && gossip.weights != GossipWeights::edge_weights)
    warnings.push_back(
        {"edge_weights_unused",
         {},
         fmt::format("the weights of the edges are not used: {} mixes by topology.gossip, {}; \"weights\" takes them",
                     method, spelled(gossip.weights))});
  return warnings;
}

void add_gossip(NetworkFacts& facts, const Topology& topology, const SparseMatrix& w) {
  facts.gossip = gossip_rows(topology, w);
  facts.W = std::make_shared<const SparseMatrix>(w);
  const GossipSpectrum spectrum = gossip_spectrum(w);
  facts.gossip_rho = spectrum.rho;
  facts.gossip_lowest = spectrum.lowest;
  facts.gossip_second = spectrum.second;
}

}  // namespace lagnet
