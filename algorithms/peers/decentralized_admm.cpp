#include "algorithms/peers/decentralized_admm.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/local/ridge_system.hpp"

namespace lagnet {

Task<> DecentralizedAdmm::run(Agent& me) const {
  const AgentId i = me.id();
  const double c = c_, degree = static_cast<double>(me.degree()), n = static_cast<double>(samples(i).rows());
  StateVector x = me.vector(d());     // the iterate                             (d)
  StateVector a = x;                  // multiplier of the agreement             (d)
  StateVector sum = x;                // of the neighbors' last iterates         (d)
  StateVector X_y = x;                // X_i' y_i, where steps are exact         (d)
  std::optional<RidgeSystem> system;  // X_i' X_i + 2 c deg n_i I
  if (exact_) system.emplace(blocks_[i], 2 * c * degree * n);

  auto factor = [&] {
    system->factor();
    X_y = blocks_[i].transpose_times(given().problem.y.segment(given().sample_starts[i], samples(i).rows()));
  };
  auto local_step = [&] {
    if (exact_) {
      x = X_y + n * (c * (degree * x + sum) - a);
      x = system->solve(x);
    } else {
      x -= (gradient(i, x) + a + c * (degree * x - sum)) / (2 * c * degree + damping_);
    }
  };
  double came = degree;
  auto ascend = [&] { a += c * (came * x - sum); };

  me.report(0, x);
  if (exact_) co_await me.compute(factor_work(i), factor);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(local_work(i), local_step);
    sum = co_await me.neighbor_sum(x);
    const Index here = me.degree() - std::ssize(me.absent());
    came = static_cast<double>(here);
    co_await me.compute(dual_work(here), ascend);
    me.report(t, x);
  }
}

Cost DecentralizedAdmm::factor_work(AgentId i) const {
  const DataMatrix& X = blocks_[i];
  return RidgeSystem::factor_work(X) + Cost(2 * X.nonzeros(), X.bytes());
}

Cost DecentralizedAdmm::local_work(AgentId i) const {
  if (!exact_) return gradient_work(i) + vector_work(7, 5);
  return vector_work(6, 5) + RidgeSystem::solve_work(blocks_[i]);
}

DecentralizedAdmm::DecentralizedAdmm(const DecentralizedAdmmOptions& options, MethodInput assignment)
    : PeerAlgorithm(std::move(assignment), DecentralizedAdmmOptions::kind),
      c_(positive("penalty", options.penalty)),
      exact_(options.local_step == LocalStep::exact) {
  need_smooth(DecentralizedAdmmOptions::kind);
  if (given().network.agents < 2)
    throw OptionError("kind", "an algorithm for one agent, or a topology with 2 agents or more",
                      std::string(DecentralizedAdmmOptions::kind));
  if (exact_ && !given().problem.loss->is_squared())
    throw OptionError("local_step", "linearized, since only least squares have exact steps", "exact");
  if (!exact_ && !given().timing_only) damping_ = largest_curvature(options.damping, given());
  const std::vector<Index>& starts = given().sample_starts;
  for (std::size_t i = 0; exact_ && i + 1 < starts.size(); ++i)
    blocks_.push_back(given().problem.X->row_range(starts[i], starts[i + 1] - starts[i]));
}

std::vector<Constant> DecentralizedAdmm::constants() const {
  std::vector<Constant> values{{"penalty", c_}};
  if (!exact_) values.emplace_back("damping", damping_);
  return values;
}

std::optional<Bytes> DecentralizedAdmm::memory() const {
  Bytes bytes = *PeerAlgorithm::memory();
  for (const DataMatrix& X : blocks_) {
    const Index m = std::min(X.rows(), X.cols());
    bytes += X.bytes() + Bytes{sizeof(double)} * (2 * m * m + d());
  }
  return bytes;
}

}  // namespace lagnet
