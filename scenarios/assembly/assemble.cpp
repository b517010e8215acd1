#include "scenarios/assembly/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "scenarios/assembly/check_measures.hpp"
#include "scenarios/assembly/load_data.hpp"
#include "scenarios/assembly/make_agents.hpp"
#include "scenarios/assembly/make_network.hpp"
#include "scenarios/assembly/make_participants.hpp"
#include "scenarios/assembly/make_problem.hpp"
#include "scenarios/assembly/make_sites.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/assembly/memory_estimate.hpp"
#include "scenarios/data/linear_model.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/features.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "topologies/gossip.hpp"
#include "topologies/graph_notes.hpp"
#include "topologies/structure.hpp"

namespace lagnet {

namespace {

/// Graphs take turns by rounds that all agents go through together, over links that any of them may lack.
void check_takes_turns(Experiment& made, Diagnostics& diagnostics) {
  const std::string kind(made.scenario.algorithm.kind());
  const SingleRounds takes = made.traits.takes_single_rounds;
  const auto expect = [&](const std::string& expected) {
    diagnostics.add("/topology/kind", expected, std::string(made.scenario.topology.kind()));
  };
  const auto refuse = [&](const std::string& why) { expect("a graph that does not change, since " + why); };
  if (made.traits.server)
    refuse(fmt::format("the server of {} asks over the same links in every round", kind));
  else if (made.traits.depends_on_order)
    refuse(fmt::format("agents of {} have no common rounds", kind));
  else if (!made.traits.same_links.empty())
    refuse(std::string(made.traits.same_links));
  else if (!made.traits.every_message.empty() && !made.traits.takes_sequence)
    refuse(std::string(made.traits.every_message));
  else if (made.sequence->has_single_rounds() && takes == SingleRounds::none)
    expect(
        fmt::format("a graph that does not change, or a sequence of connected graphs with the weights of their "
                    "union, since {} needs them",
                    kind));
  else if (!made.sequence->is_doubly_stochastic() && takes == SingleRounds::doubly_stochastic)
    expect("W^t of every round doubly stochastic, which random out-neighbors are not; push_diging takes them");
  else if (!made.sequence->is_doubly_stochastic() && made.traits.needs_gossip)
    made.warnings.push_back(
        {"rounds_row_stochastic",
         {},
         fmt::format("agents hear different numbers of others in a round, and weigh them alike: the "
                     "mean of the agents of {} moves by their mixing, too; \"oracle\": true, or "
                     "push_diging, keep it",
                     kind)});
}

/// What sites say of a server, for an algorithm without one.
void check_no_server(const NetworkOptions& network, std::string_view kind, Diagnostics& diagnostics) {
  const std::string expected = fmt::format("null, since {} has no server", kind);
  if (network.server_site) diagnostics.add("/network/server_site", expected, *network.server_site);
  for (std::size_t k = 0; k < network.sites.size(); ++k)
    if (network.sites[k].server) diagnostics.add(fmt::format("/network/sites/{}/server", k), expected, "an interface");
}

/// Checks beside links and speeds. The topology exists and, without mistakes, the network.
void make_rules(Experiment& made, Diagnostics& diagnostics) {
  const NetworkOptions& network = made.scenario.network;
  const ParticipationOptions& options = made.scenario.participation;
  const auto agents = static_cast<AgentId>(made.topology->agents());
  std::optional<Network> bare;
  if (!made.network) bare.emplace(bare_network(*made.topology));
  const AgentNames names(*made.topology);
  made.model = make_network_model(network, bare ? *bare : *made.network, names, diagnostics);
  made.model.participation = make_participation(
      options, agents, static_cast<AgentId>(made.traits.agents_with_data(agents)), made.scenario.seed, diagnostics);
  check_cohorts(made, diagnostics);
  made.model.round_rule = make_round_rule(options);
  made.model.ciphers = make_cipher_costs(made.scenario.compute.encryption);
  made.model.missing = options.missing_neighbor.make();
  if (made.topology->is_directed() && !made.traits.takes_directed && !made.sequence)
    diagnostics.add("/algorithm/kind", "", needs_undirected(made.scenario.algorithm.kind()));
  else
    check_server(made.traits, *made.topology, made.model.participation.get(), diagnostics);
  if (made.sequence) check_takes_turns(made, diagnostics);
  const SetFeatures features = set_features(made.scenario);
  if (made.traits.closes_rounds && options.clients.kind() != FullOptions::kind)
    diagnostics.add("/participation/clients/kind",
                    fmt::format("full, since {} asks all clients of a group", made.scenario.algorithm.kind()),
                    std::string(options.clients.kind()));
  if (made.traits.depends_on_order && !made.traits.closes_rounds)
    check_nobody_waits(features, diagnostics);
  else if (!made.traits.server)
    check_asked(features, made.scenario.algorithm.kind(), diagnostics);
  if (made.traits.waits_for_answers)
    check_losses_repaired(
        features,
        fmt::format("an agent of {} waits forever for an answer that is lost for good", made.scenario.algorithm.kind()),
        diagnostics);
  made.model.availability = make_availability(options, names, made.scenario.seed, diagnostics);
  if (!made.traits.server) check_no_server(network, made.scenario.algorithm.kind(), diagnostics);
}

/// Topology, links and speeds. Without a topology, it reports the problems of links and speeds that are visible.
void make_world(Experiment& made, const std::string& shown, Diagnostics& diagnostics) {
  const Scenario& scenario = made.scenario;
  if (!made.traits.every_message.empty())
    check_every_message(set_features(scenario), made.traits.every_message, made.traits.server, diagnostics,
                        made.traits.cohorts != Cohorts::all);
  if (const auto& changes = scenario.topology.common().changes; !made.traits.same_links.empty() && changes)
    diagnostics.add("/topology/changes", fmt::format("null, since {}", made.traits.same_links),
                    std::string(changes->kind()));
  if (const auto& missing = scenario.participation.missing_neighbor;
      !made.traits.no_last_values.empty() && missing.kind() == ReuseLastOptions::kind)
    diagnostics.add("/participation/missing_neighbor/kind",
                    fmt::format("wait or skip, since {}", made.traits.no_last_values), std::string(missing.kind()));
  Diagnostics of_topology(shown);  // after those of what needs it, whatever was wrong first
  std::function<MadeSchedule(const Network&)> changes;
  collect_diagnostics(of_topology, "/topology", [&] {
    MadeTopology topology = make_changing_topology(scenario, shown);
    made.topology = std::make_shared<const Topology>(std::move(topology.all));
    made.sequence = topology.sequence;
    if (made.traits.two_levels && two_level_parents(*made.topology))
      made.traits.edges = std::ssize(made.topology->neighbors(server_agent));
    changes = std::move(topology.changes);
  });
  if (made.topology) {
    const auto agents = static_cast<AgentId>(made.topology->agents());
    collect_diagnostics(diagnostics, "/network", [&] {
      made.warnings = made.topology->notes().remarks;
      made.network.emplace(make_network(*made.topology, scenario.network, scenario.seed, shown, &made.warnings));
      made.costs = make_costs(scenario.network, *made.network);
    });
    collect_diagnostics(diagnostics, "/compute", [&] {
      made.compute.emplace(make_compute(scenario.compute, agents, scenario.seed, shown, made.traits));
    });
    collect_diagnostics(diagnostics, "/participation/availability", [&] { make_rules(made, diagnostics); });
    made.model.clocks = scenario.compute.clock.make(agents, scenario.seed);
    if (changes && made.network) made.model.topology = changes(*made.network);
  } else {
    check_network(scenario.network, diagnostics);
    check_compute(scenario.compute, diagnostics);
  }
  collect_diagnostics(diagnostics, "/topology", [&] { of_topology.throw_if_any(); });
}

/// The facts about the topology for the algorithm.
void make_facts(Experiment& made, Diagnostics& diagnostics) {
  // Of a fleet eigenvalues take longer than its run, so that they are computed for those alone who need them.
  constexpr std::int64_t few_agents = 10'000;
  const AlgorithmTraits& traits = made.traits;
  const bool has_few = made.topology->agents() <= few_agents;
  const bool needed = (traits.needs_eigenvalues || traits.needs_graph_spectra) && made.has_numbers();
  made.has_eigenvalues = (has_few || needed) && !made.topology->is_directed();
  collect_diagnostics(diagnostics, "/topology", [&] {
    made.facts = network_facts(*made.topology, made.has_eigenvalues);
    made.facts.changes = made.model.topology != nullptr;
    if (traits.needs_graph_spectra && made.has_eigenvalues)
      add_graph_spectra(made.facts, *made.topology, made.sequence.get());
  });
  if (!diagnostics.empty()) return;
  if (traits.two_levels) made.facts.parents = two_level_parents(*made.topology).value();
  if (traits.needs_two_sides) {
    TwoSides sides = two_sides(*made.topology);
    made.facts.first_side = std::move(sides.first);
    made.facts.odd_cycle = std::move(sides.odd_cycle);
  }
  if (traits.needs_gossip && (made.has_numbers() || has_few))
    collect_diagnostics(diagnostics, "/topology/gossip", [&] {
      const GossipOptions& gossip = made.scenario.topology.common().gossip;
      if (made.sequence && made.sequence->weights != SequenceWeights::of_union)
        add_round_weights(made.facts, *made.sequence, gossip);
      else
        add_gossip(made.facts, *made.topology, make_gossip(gossip, *made.topology));
    });
}

/// Crashes that must not lose what agents know.
void check_states_kept(const Experiment& made, Diagnostics& diagnostics) {
  const Scenario& scenario = made.scenario;
  if (made.traits.server_keeps_state && made.model.availability)
    check_server_keeps_state(scenario.participation, scenario.algorithm.kind(), diagnostics);
  if (made.traits.agents_keep_state)
    check_agents_keep_state(scenario.participation, scenario.algorithm.kind(), diagnostics);
}

/// For a process that measures nothing: the process with all data does.
Scenario without_measures(Scenario scenario) {
  scenario.record.optimum = false;
  scenario.record.metrics.clear();
  scenario.record.holders = false;
  scenario.stop.relative_error.reset();
  scenario.stop.metric.reset();
  return scenario;
}

/// The facts about all data in a share.
std::shared_ptr<const CachedReference> known_results(const DataShare& share) {
  auto norm = std::make_shared<CachedReference::Norm>();
  auto best = std::make_shared<CachedReference::Best>();
  norm->value = share.norm;
  best->value = share.optimum;
  return std::make_shared<const CachedReference>(Problem(), std::move(norm), std::move(best));
}

}  // namespace

FileDigests check_world(const Scenario& scenario, const std::string& shown) {
  const ReadFiles reading;
  Diagnostics diagnostics(shown);
  Experiment made;
  made.scenario = scenario;
  made.traits = scenario.algorithm.make().traits;
  make_world(made, shown, diagnostics);
  diagnostics.throw_if_any();
  return reading.digests();
}

Experiment assemble(const Scenario& given, const std::string& shown, ExperimentCache& cache, const DataShare* share) {
  ReadFiles reading;
  Diagnostics diagnostics(shown);
  Experiment made;
  made.scenario = share ? without_measures(given) : given;
  const Scenario& scenario = made.scenario;
  const MadeAlgorithm algorithm = scenario.algorithm.make();
  made.traits = algorithm.traits;
  make_world(made, shown, diagnostics);
  check_states_kept(made, diagnostics);
  collect_diagnostics(diagnostics, "/data", [&] {
    made.data = share ? std::make_shared<const DataSet>(data_of(*share)) : cache.data(scenario);
    reading.add(made.data->read);  // another thread may have read them
    make_problem(made, share, diagnostics);
  });
  made.metrics = RecordedMetrics(scenario.record.metrics, diagnostics);
  diagnostics.throw_if_any();
  check_vectors_memory(made, diagnostics);
  diagnostics.throw_if_any();

  make_facts(made, diagnostics);
  diagnostics.throw_if_any();
  // Optimum and norm do not depend on the order of columns or rows; they are computed, and cached, in the data's own.
  Problem central = made.problem;
  central.X = std::shared_ptr<const DataMatrix>(made.data, &made.data->X);
  central.y = made.data->y;
  made.central = share ? known_results(*share) : cache.central(scenario, std::move(central));
  const auto spectra = std::make_shared<ShardSpectra>(share ? share->spectra : ShardSpectra());
  made.spectra = spectra;
  weigh_agents(made);
  if (scenario.record.optimum && made.has_numbers() && !made.optimum) made.optimum = made.central->shared_optimum();
  MethodInput input{.problem = made.problem,
                    .cells = made.partition.cells,
                    .agent_weights = scenario.problem.agent_weights,
                    .network = made.facts,
                    .central = made.central,
                    .spectra = spectra,
                    .truth = made.data->truth,
                    .cohort = cohort_of(made),
                    .start = made_start(made, diagnostics),
                    .rounds = scenario.stop.rounds.value_or(std::numeric_limits<Round>::max()),
                    .may_miss_rounds = made.model.may_miss_rounds(),
                    .may_lack_answers = made.model.may_lack_answers(*made.network),
                    .may_lose_messages = made.model.may_lose_messages(*made.network),
                    .timing_only = !made.has_numbers(),
                    .selection = make_selection(made, diagnostics),
                    .speeds = speeds_of(made),
                    .attackers = make_attackers(made, diagnostics),
                    .most_asked = most_asked(made)};
  (made.traits.partition_by == PartitionBy::samples ? input.sample_starts : input.feature_starts) =
      starts_by_agent(made.partition, made.traits);
  collect_diagnostics(diagnostics, "/algorithm", [&] { made.algorithm = algorithm.make(std::move(input)); });
  diagnostics.throw_if_any();
  if (made.data->learnt)
    for (const std::string& doubt : made.data->learnt->doubts) made.warnings.push_back({"data_in_doubt", {}, doubt});
  for (const Remark& warning : unused_weights(scenario, *made.topology)) made.warnings.push_back(warning);
  for (const Remark& warning : made.algorithm->warnings()) made.warnings.push_back(warning);
  if (made.optimum && made.problem.loss->may_be_smooth() && !made.problem.loss->smoothness())
    made.warnings.push_back(
        {"no_smoothness",
         {},
         fmt::format("{} states no smoothness, without which no optimum is looked for: relative_error is empty",
                     made.problem.loss->kind())});
  if (made.traits.server) warn_of_absent_server(scenario.participation, made.warnings);
  warn_of_copied_arrays(made, made.warnings);
  check_measures(made, diagnostics);
  made.read = reading.digests();
  return made;
}

Experiment in_other_times(const std::shared_ptr<const Experiment>& made, const Scenario& scenario,
                          const std::string& shown) {
  ReadFiles reading;
  reading.add(made->read);
  Diagnostics diagnostics(shown);
  Experiment other;
  other.scenario = scenario;
  other.traits = made->traits;
  make_world(other, shown, diagnostics);
  diagnostics.throw_if_any();
  other.data = made->data;
  other.problem = made->problem;
  other.partition = made->partition;
  other.facts = made->facts;
  other.has_eigenvalues = made->has_eigenvalues;
  other.optimum = made->optimum;
  other.initial = made->initial;
  other.central = made->central;
  other.spectra = made->spectra;
  other.algorithm = made->algorithm;
  other.metrics = made->metrics;
  other.warnings = made->warnings;
  other.origin = made;
  other.read = reading.digests();
  return other;
}

SimulationOptions Experiment::simulation_options(unsigned threads, bool timing_only) const {
  SimulationOptions options{.seed = scenario.seed, .threads = threads};
  if (scenario.stop.simulated_s) options.end = Time() + Duration::seconds(*scenario.stop.simulated_s);
  options.wire = {.bytes_per_scalar = scenario.network.bytes_per_scalar, .header_bytes = scenario.network.header_bytes};
  if (data->X.rows() != data->samples) {
    options.wire.rows_held = data->X.rows();
    options.wire.rows_billed = data->samples;
  }
  options.wire.index_bytes = scenario.network.index_bytes.value_or(0);
  options.wire.ciphertext_bytes = scenario.network.ciphertext_bytes;
  options.wire.model_bytes = scenario.network.model_bytes.value_or(0);
  options.wire.model_scalars = problem.dim();
  options.model = model;
  options.timing_only = timing_only;
  return options;
}

std::unique_ptr<Simulation> Experiment::simulation(unsigned threads, bool timing_only) const {
  auto world = std::make_unique<Simulation>(*network, *compute, simulation_options(threads, timing_only));
  algorithm->spawn(*world);
  return world;
}

}  // namespace lagnet
