#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/objectives/losses/losses.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

/// Worlds of peers without rounds, in which times are given, so that what they compute when can be said beforehand.
namespace lagnet::test {

/// One sample for each agent, x = 1, so that f_i(x) = (x - a_i)^2 / 2.
inline Problem targets(const Vector& a) {
  Problem problem =
      testing::make_problem(Matrix::Ones(a.size(), 1), a, make_loss(SquaredOptions{}), make_regularizer(NoneOptions{}));
  problem.shape = IterateShape::vector(1);
  return problem;
}

struct MomentsBench {
  PeerBench peers;
  double end_ms = 0;
  std::vector<double> update_ms = {};  // of each agent; empty: computing takes no time
  std::vector<double> period_ms = {};  // of each agent's clock; empty: there are none

  MethodInput assignment() const { return peers.assignment(); }
};

/// Two agents with a link of 1 ms between them.
inline MomentsBench two_agents(double a_0, double a_1) {
  return {.peers = {.problem = targets(Vector{{a_0, a_1}}), .sizes = {1, 1}, .edges = {{0, 1}}, .lazy = false}};
}

struct MomentReport {
  Time at;
  AgentId agent = 0;
  Round n = 0;
  std::vector<Vector> parts;
};

struct MomentsResult : Recorder, Listener {
  std::vector<MomentReport> reports;                              // as they came
  std::map<std::pair<AgentId, std::int64_t>, std::int64_t> used;  // how often each agent used what was so old
  std::map<AgentId, std::int64_t> missed;                         // ticks
  Ledger ledger{0, 0};

  void on_event(const SimEvent& what) override {
    if (what.what == EventKind::reported) now = what.at;
    if (what.what == EventKind::used) ++used[{what.agent, what.amount}];
    if (what.what == EventKind::missed) missed[what.agent] += what.amount;
  }
  bool wants(EventKind what) const override {
    return what == EventKind::reported || what == EventKind::used || what == EventKind::missed;
  }
  void reported(AgentId agent, Round n, std::span<const VectorView> parts) override {
    reports.push_back({now, agent, n, {parts.begin(), parts.end()}});
  }
  /// What an agent had reported last by that time.
  const Vector& x(AgentId agent, double ms) const {
    const MomentReport* last = nullptr;
    for (const MomentReport& one : reports)
      if (one.agent == agent && one.at <= Time() + Duration::milliseconds(ms)) last = &one;
    REQUIRE(last);
    return last->parts.at(0);
  }
  double value(AgentId agent, double ms) const { return x(agent, ms)[0]; }
  Vector mean(double ms) const {
    Vector sum = x(0, ms);
    for (AgentId i = 1; i < ledger.agents(); ++i) sum += x(i, ms);
    return sum / ledger.agents();
  }
  Time now;
};

inline MomentsResult simulate(const MomentsBench& bench, const Algorithm& method) {
  const PeerBench& peers = bench.peers;
  const auto m = static_cast<AgentId>(peers.agents());
  std::vector<LinkSpec> links;
  for (std::size_t e = 0; e < peers.edges.size(); ++e)
    join(links, peers.edges[e].first, peers.edges[e].second,
         peers.latencies_ns.empty() ? 1'000'000 : peers.latencies_ns[e]);
  const auto times = [](const std::vector<double>& ms) {
    std::vector<Duration> all;
    for (const double one : ms) all.push_back(Duration::milliseconds(one));
    return all;
  };
  ComputeSpec compute{.speed = std::vector<std::vector<SpeedPiece>>(m, {{.from = Time(), .flops_per_s = infinite}}),
                      .has_rounds = false};
  for (const Duration one : times(bench.update_ms)) compute.update_times.push_back({one});
  SimulationOptions options{.end = Time() + Duration::milliseconds(bench.end_ms), .model = peers.model};
  if (!bench.period_ms.empty())
    options.model.clocks = std::make_shared<const Clocks>(Clocks::periodic(times(bench.period_ms)));
  Simulation world(Network(m, std::move(links)), ComputeModel(compute), std::move(options));
  MomentsResult result;
  result.ledger = Ledger(m, world.network().links());
  world.listen(result.ledger);
  world.listen(result);
  world.record(result);
  method.spawn(world);
  world.run();
  return result;
}

template <class Options>
requires requires { Options::kind; }
MomentsResult simulate(const MomentsBench& bench, const Options& options) {
  return simulate(bench, *make_algorithm(options, bench.assignment()));
}

/// What the constructor says against these options; "" if it takes them.
template <class Options>
std::string refusal_of(const Options& options, MethodInput given) {
  try {
    make_algorithm(options, std::move(given));
  } catch (const Diagnosed& error) {
    return error.what();
  }
  return "";
}

/// Of a few operations with numbers of size 1.
constexpr double few_roundings = 1e-15;

}  // namespace lagnet::test
