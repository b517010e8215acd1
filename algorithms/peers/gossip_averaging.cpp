#include "algorithms/peers/gossip_averaging.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/peers/mixing.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

Task<> GossipAveraging::run(Agent& me) const {
  const GossipRow& w = gossip_row(given_.network.gossip, me);
  StateVector x = me.vector(given_.problem.dim());  // own estimate of the mean   (d)
  StateVector mixed;                                // w_ii x_i + sum w_ik x_k    (d)

  if (!me.timing_only()) x = start_[me.id()];
  me.report(0, x);
  for (Round t = 1; t <= given_.rounds; t = me.next_round(t)) {
    mixed = co_await me.neighbor_mix(x, w);
    add_absent(me, w, x, mixed);
    x = std::move(mixed);
    co_await me.compute(mixing_cost(me, x.size()));
    me.report(t, x);
  }
}

namespace {

/// The objective on one agent's samples alone.
Problem own_problem(const Problem& problem, Index first, Index count) {
  Problem own = problem;
  own.X = std::make_shared<const DataMatrix>(problem.X->row_range(first, count));
  own.y = problem.y.segment(first, count);
  own.samples = count;
  return own;
}

}  // namespace

GossipAveraging::GossipAveraging(const GossipAveragingOptions&, MethodInput assignment)
    : given_(std::move(assignment)) {
  const Index m = given_.network.agents;
  const std::vector<Index>& starts = given_.sample_starts;
  LAGNET_CHECK(std::ssize(starts) == m + 1, "{} starts of samples for {} agents", starts.size(), m);
  if (given_.timing_only) return;
  LAGNET_CHECK(std::ssize(given_.network.gossip) == m, "{} rows of W for {} agents", given_.network.gossip.size(), m);
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Optimum own = solve_centrally(own_problem(given_.problem, starts[i], starts[i + 1] - starts[i]));
    if (own.certificate.kind == CertificateKind::no_minimizer || !own.theta.allFinite())
      throw OptionError("kind", "samples of which each agent's have a minimizer, as any do with an l2 regularizer",
                        fmt::format("none for those of agent {}", i));
    start_.push_back(own.theta);
  }
}

void GossipAveraging::spawn(Host& host) const {
  for (const AgentId i : all_agents(given_.network.agents)) host.spawn(i, [this](Agent& me) { return run(me); });
}

std::vector<AgentId> GossipAveraging::reporters() const { return all_agents(given_.network.agents); }

std::vector<Vector> GossipAveraging::first_report(AgentId agent) const {
  if (given_.timing_only) return {Vector()};
  return {start_[agent]};
}

Evaluation GossipAveraging::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const double m = static_cast<double>(report.size());
  Vector mean = Vector::Zero(report[0][0].size());  // (d)
  for (const auto& x : report) mean += x[0];
  mean /= m;
  double spread = 0;
  for (const auto& x : report) spread += (x[0] - mean).squaredNorm();
  return {.iterate = mean, .objective = given_.problem.objective(mean), .metrics = {std::sqrt(spread / m)}};
}

std::optional<Bytes> GossipAveraging::memory() const {
  const Index d = given_.problem.dim(), m = given_.network.agents;
  return Bytes{sizeof(double)} * 5 * m * d;
}

}  // namespace lagnet
