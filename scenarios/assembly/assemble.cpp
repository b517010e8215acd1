#include "scenarios/assembly/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/central/spectral_norm.hpp"
#include "algorithms/peers/peers.hpp"
#include "scenarios/assembly/division.hpp"
#include "scenarios/assembly/load_data.hpp"
#include "scenarios/assembly/make_compute.hpp"
#include "scenarios/assembly/make_faults.hpp"
#include "scenarios/assembly/make_network.hpp"
#include "scenarios/assembly/make_participation.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "topologies/spectrum.hpp"

namespace lagnet {

namespace {

/// Of what is sought: as the data say, or with a loss of c scores a row of them for each feature, else a vector.
IterateShape shape_of(const DataSet& data, const Loss& loss) {
  if (data.shape.rows > 0) return data.shape;
  if (loss.outputs() > 1) return IterateShape::matrix(data.X.cols(), loss.outputs());
  return IterateShape::vector(data.X.cols());
}

void make_problem(Experiment& made, const Topology* topology, Problems& problems) {
  const Scenario& scenario = made.scenario;
  made.problem.X = std::shared_ptr<const DataMatrix>(made.data, &made.data->X);
  made.problem.y = made.data->y;
  made.problem.samples = made.data->samples;
  attempt(problems, "/problem/loss", [&] { made.problem.loss = scenario.problem.loss.make(made.data->y); });
  if (!made.problem.loss) return;
  made.problem.shape = shape_of(*made.data, *made.problem.loss);
  attempt(problems, "/problem/regularizer",
          [&] { made.problem.regularizer = scenario.problem.regularizer.make(made.problem.shape); });
  if (!made.problem.regularizer) return;
  attempt(problems, "/problem/constraint",
          [&] { made.problem.constraint = scenario.problem.constraint.make(IterateShape(made.problem.shape)); });
  if (made.problem.constraint && !made.traits.takes_constraint)
    problems.add("/problem/constraint/kind",
                 fmt::format("none, since {} does not keep iterates in a set", scenario.algorithm.kind()),
                 std::string(scenario.problem.constraint.kind()));
  for (const Diagnostic& wrong : made.problem.diagnostics())
    problems.add("/data: " + wrong.where, wrong.expected, wrong.found);
  if (made.data->samples > made.data->X.rows() && !made.problem.loss->is_squared())
    problems.add("/problem/loss", "squared, the only loss that reduced data stand for",
                 std::string(made.problem.loss->kind()));
  const bool fits = check_division(made.traits, scenario.partition, made.problem, problems);
  if (!topology || !fits || made.traits.agents_with_data(topology->agents()) < 1) return;
  attempt(problems, "/partition", [&] {
    made.partition =
        divide(scenario.partition, made.traits, *made.data, topology->agents(), scenario.seed, made.problem, problems);
  });
}

/// Where a server starts; empty for zero.
Vector made_start(const Experiment& made, Problems& problems) {
  const Scenario& scenario = made.scenario;
  if (scenario.problem.start == StartPoint::zero) return {};
  if (!made.traits.server)
    problems.add("/problem/start", fmt::format("zero, where {} starts", scenario.algorithm.kind()), "normal");
  if (!made.has_numbers()) return {};
  Vector start(made.problem.shape.size());
  Draws draws(scenario.seed, Purpose{"problem.start"});
  for (double& entry : start) entry = draws.normal();
  return made.problem.constraint ? made.problem.constraint->project(start) : start;
}

MadeTopology made_topology(const Scenario& scenario, const std::string& shown) {
  Problems problems(shown);
  std::optional<MadeTopology> made;
  attempt(problems, "/topology", [&] { made = make_changing_topology(scenario.topology, scenario.seed, problems); });
  problems.throw_if_any();
  return std::move(*made);
}

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
    MadeTopology topology = made_topology(scenario, shown);
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

namespace {

/// Where F is the mean of the agents' means, and they have different numbers of samples, it is not the data's mean: its
/// optimum and F(0) are those of another pooled problem, if there is one.
void weigh_agents_equally(Experiment& made) {
  made.initial = [problem = made.problem] { return problem.objective(Vector::Zero(problem.dim())); };
  if (!made.traits.equal_agents || !made.has_numbers()) return;
  const std::vector<Index> starts = starts_by_agent(made.partition, made.traits);
  const bool even =
      std::ranges::adjacent_find(starts, [&](Index a, Index b) { return b - a != starts[1]; }) == starts.end();
  if (even) return;
  const auto same = pooled(made.problem, starts);
  if (same) made.initial = [problem = *same] { return problem.objective(Vector::Zero(problem.dim())); };
  if (!made.scenario.record.optimum) return;
  if (same) {
    made.optimum = std::make_shared<const Optimum>(solve_centrally(*same));
    return;
  }
  const Vector zero = Vector::Zero(made.problem.dim());
  const Certificate proof{CertificateKind::none, std::numeric_limits<double>::infinity(),
                          "none for agents with different numbers of samples, which weigh alike, and this loss"};
  made.optimum = std::make_shared<const Optimum>(Optimum{zero, made.problem.objective(zero), proof});
}

}  // namespace

std::string data_key(const Scenario& scenario) {
  return fmt::format("{} {} {}", scenario.seed, write_value(scenario.numerics).dump(), scenario.data.write().dump());
}

std::shared_ptr<const DataSet> ExperimentCache::data(const Scenario& scenario) {
  const auto entry = data_.at(data_key(scenario));
  const std::lock_guard alone(entry->making);
  auto found = entry->value.lock();
  const bool is_new = !found;
  if (is_new) {
    make_room();
    found = std::make_shared<const DataSet>(load_data(scenario));
    entry->value = found;
  }
  keep(found, is_new);
  return found;
}

void ExperimentCache::make_room() {
  const std::lock_guard lock(keeping_);
  if (met_bytes_ > limit_) kept_.clear();
}

void ExperimentCache::keep(const std::shared_ptr<const DataSet>& data, bool is_new) {
  const std::lock_guard lock(keeping_);
  if (is_new) met_bytes_ += data->bytes();
  if (met_bytes_ > limit_)
    kept_ = {data};
  else if (is_new)
    kept_.push_back(data);
}

std::optional<Bytes> ExperimentCache::kept_bytes() const {
  const std::lock_guard lock(keeping_);
  if (met_bytes_ > limit_) return std::nullopt;
  return met_bytes_;
}

std::shared_ptr<const CachedReference> ExperimentCache::central(const Scenario& scenario, Problem problem) {
  const std::string key = data_key(scenario);
  return std::make_shared<const CachedReference>(std::move(problem), norms_.at(key),
                                                 optima_.at(key + write_fields(scenario.problem).dump()));
}

double CachedReference::data_norm() const {
  const std::lock_guard alone(norm_->making);
  if (!norm_->value) norm_->value = spectral_norm(*problem_.X);
  return *norm_->value;
}

std::shared_ptr<const Optimum> CachedReference::shared_optimum() const {
  const std::lock_guard alone(best_->making);
  if (!best_->value) best_->value = std::make_shared<const Optimum>(solve_centrally(problem_));
  return best_->value;
}

NetworkFacts network_facts(const Topology& topology, bool with_eigenvalues) {
  const Spectrum eigenvalues = with_eigenvalues ? spectrum(topology) : Spectrum();
  NetworkFacts facts{.agents = topology.agents(),
                     .max_degree = topology.max_degree(),
                     .laplacian_max = eigenvalues.laplacian_max,
                     .algebraic_connectivity = eigenvalues.algebraic_connectivity,
                     .link_weights = {}};
  const auto plain = [](const Edge& edge) { return edge.weight == 1; };
  if (!std::ranges::all_of(topology.edges(), plain))
    for (AgentId a = 0; a < topology.agents(); ++a) {
      const auto weights = topology.neighbor_weights(a);
      facts.link_weights.emplace_back(weights.begin(), weights.end());
    }
  return facts;
}

void add_gossip(NetworkFacts& facts, const Topology& topology, const SparseMatrix& w) {
  facts.gossip = gossip_rows(topology, w);
  const GossipSpectrum spectrum = gossip_spectrum(w);
  facts.gossip_rho = spectrum.rho;
  facts.gossip_lowest = spectrum.lowest;
}

Topology make_topology(const Scenario& scenario, const std::string& shown) {
  return made_topology(scenario, shown).all;
}

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
    make_problem(made, made.topology.get(), problems);
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

std::unique_ptr<Simulation> Experiment::simulation(unsigned threads) const {
  SimulationOptions options{.seed = scenario.seed, .threads = threads};
  if (scenario.stop.simulated_s) options.end = Time() + Duration::seconds(*scenario.stop.simulated_s);
  options.wire = {.bytes_per_scalar = scenario.network.bytes_per_scalar, .header_bytes = scenario.network.header_bytes};
  if (data->X.rows() != data->samples) {
    options.wire.rows_held = data->X.rows();
    options.wire.rows_billed = data->samples;
  }
  options.wire.index_bytes = scenario.network.index_bytes.value_or(0);
  options.wire.ciphertext_bytes = scenario.network.ciphertext_bytes;
  options.rules = rules;
  options.timing_only = !has_numbers();
  auto world = std::make_unique<Simulation>(*network, *compute, std::move(options));
  algorithm->spawn(*world);
  return world;
}

}  // namespace lagnet
