#include "tests/reference/asynchronous_case.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "algorithms/central/gram.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/unit/algorithms/known_reference.hpp"
#include "topologies/gossip.hpp"
#include "topologies/structure.hpp"

namespace lagnet::reference {

namespace {

double real(Index i) { return static_cast<double>(i); }

/// X_k[i,j] of the file's text, also its A_j[i,c].
double entry_of(Index i, Index j, Index k) {
  return std::sin(1 + 7.3 * real(i) + 3.1 * real(j) + 0.9 * real(i) * real(j) + 1.7 * real(k));
}

/// Shards of n_k rows one below the other.
void add_shards(const Json& problem, bool has_server, MethodInput& given) {
  const Index p = size_at(problem, "p");
  Index N = 0;
  for (const Json& n : list_at(problem, "n")) N += n.get<Index>();
  Matrix X(N, p);
  Vector y(N);
  if (has_server) given.sample_starts.push_back(0);
  given.sample_starts.push_back(0);
  Index row = 0;
  for (Index k = 0; k < std::ssize(problem["n"]); ++k) {
    const Index n = problem["n"][static_cast<std::size_t>(k)].get<Index>();
    for (Index i = 0; i < n; ++i, ++row) {
      for (Index j = 0; j < p; ++j) X(row, j) = entry_of(i, j, k);
      y[row] = std::cos(0.5 * real(i) + 1.3 * real(k)) + 0.8 + 2 * X(row, 0) - 1.5 * X(row, 3);
    }
    given.sample_starts.push_back(row);
  }
  given.problem.X = std::make_shared<const DataMatrix>(std::move(X));
  given.problem.y = std::move(y);
}

/// Blocks of q columns side by side.
void add_blocks(const Json& problem, bool has_server, MethodInput& given) {
  const Index n = size_at(problem, "n"), q = size_at(problem, "q"), blocks = size_at(problem, "blocks", 2);
  Matrix X(n, q * blocks);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < blocks; ++j)
      for (Index c = 0; c < q; ++c) X(i, j * q + c) = entry_of(i, c, j);
    y[i] = std::cos(0.5 * real(i)) + 0.8 + 2 * X(i, 0) - 1.5 * X(i, q + 1);
  }
  if (has_server) given.feature_starts.push_back(0);
  for (Index j = 0; j <= blocks; ++j) given.feature_starts.push_back(j * q);
  given.problem.X = std::make_shared<const DataMatrix>(std::move(X));
  given.problem.y = std::move(y);
}

/// Vectors x_i[c] that agents average: each is the minimizer of its agent's own samples, the unit vectors.
void add_averaging(const Json& item, MethodInput& given) {
  const Index d = size_at(item.at("params"), "d"), m = std::ssize(list_at(item.at("problem"), "neighbors"));
  Matrix X(m * d, d);
  Vector y(m * d);
  for (Index i = 0; i < m; ++i) {
    X.middleRows(i * d, d) = Matrix::Identity(d, d);
    for (Index c = 0; c < d; ++c) y[i * d + c] = std::cos(1 + 1.9 * real(i) + 0.7 * real(c));
  }
  for (Index i = 0; i <= m; ++i) given.sample_starts.push_back(i * d);
  given.problem.X = std::make_shared<const DataMatrix>(std::move(X));
  given.problem.y = std::move(y);
}

/// What peers know of their neighbors: Metropolis weights, and the sides of a bipartite graph.
void add_facts(const Json& neighbors, MethodInput& given) {
  std::vector<Edge> edges;
  for (AgentId i = 0; i < neighbors.size(); ++i)
    for (const Json& j : neighbors[i])
      if (i < j.get<AgentId>()) edges.push_back({i, j.get<AgentId>()});
  const Topology topology(std::ssize(neighbors), std::move(edges));
  given.network = network_facts(topology, false);
  add_gossip(given.network, topology, gossip_matrix(topology, GossipWeights::metropolis));
  const TwoSides sides = two_sides(topology);
  given.network.first_side = sides.first;
  given.network.odd_cycle = sides.odd_cycle;
}

/// The n-th message over each link is lost if (a n + b i + c j) mod 10 < q.
class ListedLoss final : public FaultRule {
 public:
  explicit ListedLoss(const Json& lost) {
    for (std::size_t k = 0; k < rule_.size(); ++k) rule_[k] = lost.at(k).get<std::int64_t>();
  }
  void judge(const Transmission& what, Fate& fate) const override {
    const auto [a, b, c, q] = rule_;
    const std::int64_t n = sent_[what.link]++;
    if ((a * n + b * std::int64_t{what.from} + c * std::int64_t{what.to}) % 10 >= q) return;
    fate.lost = Cause::loss;
    ++lost_;
  }
  std::int64_t lost() const { return lost_; }

 private:
  std::array<std::int64_t, 4> rule_{};
  mutable std::map<LinkId, std::int64_t> sent_;
  mutable std::int64_t lost_ = 0;
};

/// Links in both directions between the server and all others, or between neighbors.
std::vector<LinkSpec> links_of(const Json& item, AgentId agents) {
  const Json& latency = item.at("latency_ns");
  std::vector<LinkSpec> links;
  const auto add = [&](AgentId from, AgentId to) {
    const std::int64_t ns = latency.at(0).get<std::int64_t>() + latency.at(1).get<std::int64_t>() * from +
                            latency.at(2).get<std::int64_t>() * to;
    links.push_back({.from = from, .to = to, .latency = Duration::nanoseconds(ns)});
  };
  const Json& problem = item.at("problem");
  if (!problem.contains("neighbors")) {
    for (AgentId k = 1; k < agents; ++k) add(server_agent, k), add(k, server_agent);
    return links;
  }
  for (AgentId i = 0; i < agents; ++i)
    for (const Json& j : problem["neighbors"].at(i)) add(i, j.get<AgentId>());
  return links;
}

/// What the agents' updates take; all else takes no time.
ComputeModel compute_of(const Json& item, AgentId agents, bool has_server) {
  ComputeSpec spec;
  spec.speed.assign(agents, {SpeedPiece{.from = Time(), .flops_per_s = std::numeric_limits<double>::infinity()}});
  spec.has_rounds = false;
  if (!item.contains("busy_ns")) return ComputeModel(spec);
  spec.update_times.assign(agents, {Duration()});
  const Json& busy = item["busy_ns"];
  const std::size_t first = has_server ? 1 : 0;
  for (std::size_t a = 0; a < busy.size(); ++a) {
    auto& times = spec.update_times.at(first + a);
    times.clear();
    for (const Json& ns : busy[a]) times.push_back(Duration::nanoseconds(ns.get<std::int64_t>()));
  }
  return ComputeModel(spec);
}

/// Follows a run, and looks at it when rows are due.
class CaseRecorder final : public Recorder, public Listener, public Watcher {
 public:
  CaseRecorder(const Json& rows, std::vector<AgentId> updaters, Simulation& world, Ledger& ledger,
               const ListedLoss* loss)
      : loss_(loss),
        updaters_(std::move(updaters)),
        world_(world),
        ledger_(ledger),
        rounds_(ledger.agents()),
        newest_(ledger.agents()),
        last_taken_(ledger.agents()) {
    for (const Json& row : rows) due_.push_back(Time::nanoseconds(row.at("at_ns").get<std::int64_t>()));
    world.watch(*this, due_.front());
  }

  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    if (!parts.empty()) newest_[agent].assign(parts.begin(), parts.end());
    if (std::ranges::find(updaters_, agent) == updaters_.end()) return;
    if (round > rounds_[agent])
      run.updates.emplace_back(world_.now().ns(),
                               agent == server_agent && updaters_.size() == 1 ? last_taken_[agent] : agent);
    rounds_[agent] = round;
  }
  void on_event(const SimEvent& what) override {
    if (what.what == EventKind::took) last_taken_[what.agent] = what.peer;
  }
  bool wants(EventKind what) const override { return what == EventKind::took; }
  Time look(Time) override {
    AsynchronousRun::Row& row = run.rows.emplace_back();
    row.round = std::numeric_limits<Round>::max();
    for (const AgentId k : updaters_) {
      row.round = std::min(row.round, rounds_[k]);
      row.updates += rounds_[k];
    }
    row.total = ledger_.total();
    row.lost = loss_ ? loss_->lost() : 0;
    row.parts = newest_;
    run.staleness = ledger_.staleness();
    return run.rows.size() < due_.size() ? due_[run.rows.size()] : Time::never();
  }

  AsynchronousRun run;

 private:
  const ListedLoss* loss_;
  std::vector<AgentId> updaters_;
  Simulation& world_;
  Ledger& ledger_;
  std::vector<Time> due_;
  std::vector<Round> rounds_;
  std::vector<std::vector<Vector>> newest_;
  std::vector<AgentId> last_taken_;
};

}  // namespace

MethodInput asynchronous_assignment(const Json& item, const AsynchronousKind& kind) {
  const Json& problem = item.at("problem");
  check_keys(problem, "problem/", {"kind", "n", "p", "q", "blocks", "l1", "l2", "neighbors"});
  MethodInput given;
  const bool has_blocks = problem.at("kind") == "blocks", averages = problem["kind"] == "averaging";
  if (!has_blocks && !averages && problem["kind"] != "shards")
    throw std::runtime_error("not understood: problem/kind = " + problem["kind"].dump());
  if (averages)
    add_averaging(item, given);
  else
    (has_blocks ? add_blocks : add_shards)(problem, kind.has_server, given);
  const auto& starts = has_blocks ? given.feature_starts : given.sample_starts;
  given.network.agents = std::ssize(starts) - 1;
  if (problem.contains("neighbors")) add_facts(problem["neighbors"], given);
  given.problem.samples = given.problem.X->rows();
  given.problem.loss = make_loss(SquaredOptions{});
  given.problem.regularizer =
      make_regularizer(ElasticNetOptions{.l1_weight = problem.value("l1", 0.0), .l2_weight = problem.value("l2", 0.0)});
  given.rounds = std::numeric_limits<Round>::max();
  given.central = std::make_shared<const test::KnownReference>(spectral_norm(*given.problem.X));
  given.may_lose_messages = given.may_lack_answers = item.contains("lost");
  if (kind.starts_at_zero) return given;
  given.start.resize(given.problem.dim());
  for (Index j = 0; j < given.start.size(); ++j) given.start[j] = 0.5 * std::cos(2.3 * real(j) + 0.4);
  return given;
}

AsynchronousRun run_asynchronous_case(const Json& item, const AsynchronousKind& kind, const Algorithm& algorithm) {
  const Json& problem = item.at("problem");
  const std::size_t holding = problem.contains("neighbors")    ? problem["neighbors"].size()
                              : problem.at("kind") == "blocks" ? problem.at("blocks").get<std::size_t>()
                                                               : problem.at("n").size();
  const auto agents = static_cast<AgentId>(holding + (kind.has_server ? 1 : 0));
  SimulationOptions options;
  const Time end = Time::nanoseconds(list_at(item, "rows").back().at("at_ns").get<std::int64_t>());
  options.end = end;
  if (item.at("params").contains("period_ns")) {
    std::vector<Duration> periods;
    for (const Json& ns : item["params"]["period_ns"]) periods.push_back(Duration::nanoseconds(ns.get<std::int64_t>()));
    options.model.clocks = std::make_shared<const Clocks>(Clocks::periodic(std::move(periods)));
  }
  std::shared_ptr<const ListedLoss> loss;
  if (item.contains("lost")) loss = std::make_shared<const ListedLoss>(item["lost"]);
  if (loss) options.model.faults.push_back(loss);
  Simulation world(Network(agents, links_of(item, agents)), compute_of(item, agents, kind.has_server),
                   std::move(options));
  Ledger ledger(agents, world.network().links());
  CaseRecorder recorder(item["rows"], algorithm.updaters(), world, ledger, loss.get());
  world.listen(ledger);
  world.listen(recorder);
  world.record(recorder);
  algorithm.spawn(world);
  try {
    world.run();
  } catch (const Deadlock&) {  // nothing changes any more
    while (recorder.run.rows.size() < item["rows"].size()) recorder.look(end);
  }
  return std::move(recorder.run);
}

}  // namespace lagnet::reference
