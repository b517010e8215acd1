#include "algorithms/peers/decentralized_admm.hpp"

#include <utility>

#include "algorithms/local/local_fits.hpp"

namespace lagnet {

Task<> DecentralizedAdmm::run(Agent& me) const {
  const AgentId i = me.id();
  const double c = c_, b = own_l2_weight(), degree = static_cast<double>(me.degree());
  const double n = static_cast<double>(samples(i).rows()) / weight(i);  // f_i = |X_i x - y_i|^2 / (2 n) + (b/2) |x|^2
  StateVector x = me.vector(d());                                       // the iterate                             (d)
  StateVector a = x;                                                    // multiplier of the agreement             (d)
  StateVector sum = x;                                                  // of the neighbors' last iterates         (d)
  StateVector X_y = x;                                                  // X_i' y_i, where steps are exact         (d)
  std::optional<RidgeSystem> system;                                    // X_i' X_i + (2 c deg + b) n I
  Cost factor_cost, step_cost = gradient_work(i) + vector_work(7, 5);
  if (exact_) {
    const DataMatrix& X = blocks_[i];
    system.emplace(X, (2 * c * degree + b) * n);
    factor_cost = RidgeSystem::factor_work(X) + Cost(2 * X.nonzeros(), X.bytes());
    step_cost = RidgeSystem::solve_work(X) + vector_work(6, 5);
  }

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
  if (exact_) co_await me.compute(factor_cost, factor);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(step_cost, local_step);
    sum = co_await me.neighbor_sum(x);
    const Index here = me.degree() - std::ssize(me.absent());
    came = static_cast<double>(here);
    co_await me.compute(vector_work(here + 4, here + 4), ascend);
    me.report(t, x);
  }
}

DecentralizedAdmm::DecentralizedAdmm(const DecentralizedAdmmOptions& options, MethodInput input)
    : PeerAlgorithm(std::move(input), DecentralizedAdmmOptions::kind, DecentralizedAdmmOptions::traits),
      exact_(options.local_step == LocalStep::exact) {
  if (given().network.agents < 2)
    throw Diagnosed("kind", "an algorithm for one agent, or a topology with 2 agents or more",
                    std::string(DecentralizedAdmmOptions::kind));
  if (exact_ && !given().problem.loss->is_squared())
    throw Diagnosed("local_step", "linearized, since only least squares have exact steps", "exact");
  if (exact_) need_square(DecentralizedAdmmOptions::kind);
  if (options.penalty) c_ = positive("penalty", *options.penalty);
  if (!exact_ && !given().timing_only)
    damping_ = largest_curvature(options.damping, given()) + (options.damping ? 0 : own_smoothness());
  if (!options.penalty && !given().timing_only)
    c_ = largest_curvature_of_agents("penalty") / (2 * static_cast<double>(given().network.max_degree));
  if (c_ > 0) add_constant("penalty", c_);
  if (!exact_) add_constant("damping", damping_);
  const std::vector<Index>& starts = given().sample_starts;
  for (std::size_t i = 0; exact_ && i + 1 < starts.size(); ++i)
    blocks_.push_back(given().problem.X->row_range(starts[i], starts[i + 1] - starts[i]));
}

std::optional<Bytes> DecentralizedAdmm::memory() const {
  Bytes bytes = *PeerAlgorithm::memory();
  for (const DataMatrix& X : blocks_) bytes += X.bytes() + RidgeSystem::memory(X) + Bytes{sizeof(double)} * d();
  return bytes;
}

}  // namespace lagnet
