#include "algorithms/peers/asynchronous/edge_admm.hpp"

#include <utility>

#include "algorithms/local/local_fits.hpp"
#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"

namespace lagnet {

Task<> EdgeAdmm::run(Agent& me) const {
  const AgentId i = me.id();
  const double degree = static_cast<double>(me.degree()), b = own_l2_weight(), curved = b + rho_ * degree;
  const Cost edge_work = vector_work(4 * me.degree() + 2, 4 * me.degree() + 2);
  StateVector x = start(me);  // the iterate                              (d)
  StateVector X_y = x;        // X_i' y_i, where steps are exact           (d)
  StateVector z_start = x;    // rho x at the start                       (d)
  z_start = rho_ * x;
  EdgeValues z(me, edges_, z_start);
  std::optional<RidgeSystem> system;    // X_i'X_i + (b + rho deg) n I
  std::optional<SmoothProx> minimizer;  // where steps are by gradients
  Cost step = edge_work, more;          // of gradients
  Ticker ticker(me, nullptr);

  auto factor = [&] {
    system->factor();
    X_y = blocks_[i].transpose_times(given().problem.y.segment(given().sample_starts[i], samples(i).rows()));
  };
  auto minimize = [&] {
    if (system) {
      x = X_y + scale(i) * z.sum();
      x = system->solve(x);
    } else {
      const Vector v = z.sum() / curved;
      const Index gradients = minimizer->solve(samples(i), v, x);
      const Cost each = minimizer->work_of_gradient(samples(i));
      more = {gradients * each.flops, gradients * each.bytes};
    }
  };

  me.report(0, x);
  if (is_exact()) {
    const DataMatrix& X = blocks_[i];
    system.emplace(X, curved * scale(i));
    step = step + RidgeSystem::solve_work(X);
    co_await me.compute(RidgeSystem::factor_work(X) + Cost(2 * X.nonzeros(), X.bytes()), factor);
  } else {
    minimizer.emplace(*given().problem.loss, weight(i), curvature_, curved, accuracy_);
  }
  for (Round n = 0;; ++n) {
    if (const Time tick = ticker.next(me); tick > me.now()) co_await me.sleep(tick - me.now());
    ticker.take(me);
    const Time began = me.now();
    z.relax(me);                            // (1)
    co_await me.update(n, step, minimize);  // (2)
    if (!is_exact()) co_await me.compute(more);
    me.report(n + 1, x);
    z.send(me, n + 1, rho_, x);  // (3)
    check_time_passes(me, began);
  }
}

EdgeAdmm::EdgeAdmm(const EdgeAdmmOptions& options, MethodInput input)
    : AsynchronousPeers(std::move(input), EdgeAdmmOptions::kind, options.traits()),
      rho_(positive("penalty", options.penalty)),
      accuracy_(options.accuracy),
      edges_(options.edges) {
  need_square(EdgeAdmmOptions::kind);
  if (is_exact() && !given().problem.loss->is_squared())
    throw Diagnosed("accuracy", "above 0, since only squared losses have exact steps", "0");
  const std::vector<Index>& starts = given().sample_starts;
  if (is_exact())
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
      blocks_.push_back(given().problem.X->row_range(starts[i], starts[i + 1] - starts[i]));
  else
    curvature_ = largest_curvature_of_agents("accuracy");
}

std::optional<Bytes> EdgeAdmm::memory() const {
  Bytes bytes =
      *PeerAlgorithm::memory() + Bytes{sizeof(double)} * 4 * given().network.agents * given().network.max_degree * d();
  for (const DataMatrix& X : blocks_) bytes += X.bytes() + RidgeSystem::memory(X);
  return bytes;
}

}  // namespace lagnet
