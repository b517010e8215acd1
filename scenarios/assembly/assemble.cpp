#include "scenarios/assembly/assemble.hpp"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "scenarios/assembly/make_compute.hpp"
#include "scenarios/assembly/make_faults.hpp"
#include "scenarios/assembly/make_network.hpp"
#include "scenarios/assembly/make_participation.hpp"
#include "scenarios/assembly/make_problem.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/assembly/partition_data.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "topologies/gossip.hpp"

namespace lagnet {

namespace {

/// What holds beside links and speeds. The topology and, but for a mistake, the network are there.
void make_rules(Experiment& made, Problems& problems) {
  const NetworkOptions& network = made.scenario.network;
  const ParticipationOptions& options = made.scenario.participation;
  const auto agents = static_cast<AgentId>(made.topology->agents());
  made.rules.sharing = network.sharing;
  made.rules.repair = make_repair(network.retransmit);
  std::optional<Network> bare;
  if (!made.network) bare.emplace(bare_network(*made.topology));
  made.rules.faults = make_faults(network, bare ? *bare : *made.network, problems);
  made.rules.participation = make_participation(options, agents, made.scenario.seed, problems);
  made.rules.round_rule = make_round_rule(options);
  made.rules.ciphers = make_cipher_costs(made.scenario.compute.encryption);
  made.rules.missing = options.missing_neighbor.make();
  check_server(made.traits, *made.topology, made.rules.participation.get(), problems);
  if (!made.traits.server) check_asked(options, made.scenario.algorithm.kind(), problems);
  made.rules.availability = make_availability(options, agents, made.scenario.seed, problems);
}

/// Topology, links and speeds. Without a topology, what can be told of links and speeds is told.
void make_world(Experiment& made, const std::string& shown, Problems& problems) {
  const Scenario& scenario = made.scenario;
  Problems of_topology(shown);  // after those of what needs it, whatever was wrong first
  std::function<MadeSchedule(const Network&)> changes;
  attempt(of_topology, "/topology", [&] {
    MadeTopology topology = make_changing_topology(scenario, shown);
    made.topology = std::make_unique<Topology>(std::move(topology.all));
    changes = std::move(topology.changes);
  });
  if (made.topology) {
    const auto agents = static_cast<AgentId>(made.topology->agents());
    attempt(problems, "/network",
            [&] { made.network.emplace(make_network(*made.topology, scenario.network, scenario.seed, shown)); });
    attempt(problems, "/compute",
            [&] { made.compute.emplace(make_compute(scenario.compute, agents, scenario.seed, shown)); });
    attempt(problems, "/participation/availability", [&] { make_rules(made, problems); });
    if (changes && made.network) made.rules.topology = changes(*made.network);
  } else {
    check_network(scenario.network, problems);
    check_compute(scenario.compute, problems);
  }
  attempt(problems, "/topology", [&] { of_topology.throw_if_any(); });
}

}  // namespace

void check_world(const Scenario& scenario, const std::string& shown) {
  Problems problems(shown);
  Experiment made;
  made.scenario = scenario;
  made.traits = scenario.algorithm.make().traits;
  make_world(made, shown, problems);
  problems.throw_if_any();
}

Experiment assemble(const Scenario& scenario, const std::string& shown, ExperimentCache& cache) {
  Problems problems(shown);
  Experiment made;
  made.scenario = scenario;
  const MadeAlgorithm algorithm = scenario.algorithm.make();
  made.traits = algorithm.traits;
  make_world(made, shown, problems);
  if (made.traits.waits_for_all) check_no_early_end(scenario.participation, scenario.algorithm.kind(), problems);
  attempt(problems, "/data", [&] {
    made.data = cache.data(scenario);
    make_problem(made, problems);
  });
  problems.throw_if_any();

  // Of a fleet they take longer than its run, so that they are computed for those alone who need them.
  constexpr std::int64_t few_agents = 10'000;
  const bool needed = made.traits.needs_eigenvalues && made.has_numbers();
  made.has_eigenvalues = needed || made.topology->agents() <= few_agents;
  attempt(problems, "/topology", [&] { made.facts = network_facts(*made.topology, made.has_eigenvalues); });
  problems.throw_if_any();
  made.facts.changes = made.rules.topology != nullptr;
  if (made.traits.needs_gossip && (made.has_numbers() || made.topology->agents() <= few_agents))
    add_gossip(made.facts, *made.topology, gossip_matrix(*made.topology, scenario.topology.common().gossip));
  // Optimum and norm do not depend on the order of columns or rows; they are computed, and cached, in the data's own.
  Problem central = made.problem;
  central.X = std::shared_ptr<const DataMatrix>(made.data, &made.data->X);
  central.y = made.data->y;
  const auto reference = cache.central(scenario, std::move(central));
  weigh_agents_equally(made);
  if (scenario.record.optimum && made.has_numbers() && !made.optimum) made.optimum = reference->shared_optimum();
  MethodInput assignment{.problem = made.problem,
                         .feature_starts = {},
                         .sample_starts = {},
                         .cells = made.partition.cells,
                         .network = made.facts,
                         .central = reference,
                         .truth = made.data->truth,
                         .start = made_start(made, problems),
                         .rounds = scenario.stop.rounds.value_or(std::numeric_limits<Round>::max()),
                         .may_miss_rounds = made.rules.may_miss_rounds(),
                         .timing_only = !made.has_numbers()};
  (made.traits.partition_by == PartitionBy::samples ? assignment.sample_starts : assignment.feature_starts) =
      starts_by_agent(made.partition, made.traits);
  attempt(problems, "/algorithm", [&] { made.algorithm = algorithm.make(std::move(assignment)); });
  problems.throw_if_any();
  made.warnings = made.algorithm->warnings();
  if (made.traits.waits_for_all && !made.rules.faults.empty() && !made.rules.repair.timeout)
    made.warnings.push_back(fmt::format(
        "{} waits for every message: one that is lost ends the run in a deadlock, unless network.retransmit "
        "sends it again",
        scenario.algorithm.kind()));
  made.metrics = RecordedMetrics(scenario.record.metrics);
  made.metrics.check(made, problems);
  problems.throw_if_any();
  return made;
}

}  // namespace lagnet
