#include "algorithms/peers/asynchronous/fd_edge_admm.hpp"

#include <fmt/format.h>

#include <utility>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"

namespace lagnet {

Task<> FdEdgeAdmm::run(Agent& me) const {
  const AgentId j = me.id();
  const DataMatrix& A = blocks_[j];
  const Index n = A.rows(), edge_flops = (4 * me.degree() + 2) * n;
  const double c = static_cast<double>(n) / given().network.agents + rho_ * static_cast<double>(me.degree());
  StateVector theta = me.vector(A.cols());  // own coefficients                          (d_j)
  StateVector lambda = me.vector(n);        // own copy of the scaled residual           (n)
  EdgeValues z(me, edges_, lambda);
  ElasticNetFit fit(A, l1_, l2_, c);
  const Cost step = fit.solve_work() + Cost(edge_flops + 3 * n, Bytes{sizeof(double)} * (edge_flops + 3 * n));
  Cost more;  // of sweeps
  Ticker ticker(me, nullptr);

  auto prepare = [&] { fit.prepare(); };
  auto minimize = [&] {
    Vector b = z.sum();  // and of the owner of the labels, without them   (n)
    if (j == label_agent_) b -= given().problem.y;
    const Index sweeps = fit.solve(b, theta);
    const Cost each = fit.sweep_work();
    more = {sweeps * each.flops, sweeps * each.bytes};
    lambda = (b + A.times(theta)) / c;
  };

  me.report(0, theta);
  co_await me.compute(fit.prepare_work(), prepare);
  for (Round count = 0;; ++count) {
    if (const Time tick = ticker.next(me); tick > me.now()) co_await me.sleep(tick - me.now());
    ticker.take(me);
    const Time began = me.now();
    z.relax(me);
    co_await me.update(count, step, minimize);
    if (l1_ > 0) co_await me.compute(more);
    me.report(count + 1, theta);
    z.send(me, count + 1, rho_, lambda);
    check_time_passes(me, began);
  }
}

FdEdgeAdmm::FdEdgeAdmm(const FdEdgeAdmmOptions& options, MethodInput input)
    : AlikeAgents(std::move(input)), rho_(positive("penalty", options.penalty)), edges_(options.edges) {
  const Problem& problem = given().problem;
  if (!problem.loss->is_squared())
    throw Diagnosed("kind", "an algorithm for this loss; fd_edge_admm: squared", "another");
  const auto l1 = problem.regularizer->l1_weight(), l2 = problem.regularizer->l2_weight();
  if (!l1 && !l2 && !is_zero(*problem.regularizer))
    throw Diagnosed("kind", "an algorithm for this regularizer; fd_edge_admm: l1, l2 or elastic_net", "another");
  l1_ = l1.value_or(0);
  l2_ = l2.value_or(0);
  const std::vector<Index>& starts = given().feature_starts;
  if (options.label_agent >= given().network.agents)
    throw Diagnosed("label_agent", fmt::format("an agent from 0 to {}", given().network.agents - 1),
                    fmt::format("{}", options.label_agent));
  label_agent_ = static_cast<AgentId>(options.label_agent);
  for (std::size_t k = 0; k + 1 < starts.size(); ++k)
    blocks_.push_back(problem.X->columns(starts[k], starts[k + 1] - starts[k]));
}

std::vector<Vector> FdEdgeAdmm::first_report(AgentId agent) const {
  return {Vector::Zero(given().timing_only ? 0 : blocks_[agent].cols())};
}

Evaluation FdEdgeAdmm::evaluate(Round, RoundReport report, const ErrorScale&) const {
  Vector theta = joined(report, 0);
  const double value = given().problem.objective(theta);
  return {.iterate = std::move(theta), .objective = value};
}

std::optional<Bytes> FdEdgeAdmm::memory() const {
  const Index n = given().problem.X->rows();
  Bytes bytes = given().problem.X->bytes() +
                Bytes{sizeof(double)} * n * given().network.agents * (4 + 4 * given().network.max_degree);
  for (const DataMatrix& A : blocks_) bytes += ElasticNetFit::memory(A);
  return bytes;
}

}  // namespace lagnet
