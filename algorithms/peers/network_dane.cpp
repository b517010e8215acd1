#include "algorithms/peers/network_dane.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "algorithms/local/dane_step.hpp"

namespace lagnet {

Task<> NetworkDane::run(Agent& me) const {
  const AgentId i = me.id();
  StateVector x = me.vector(d());          // the iterate                               (d)
  StateVector y = x;                       // mixed iterates                            (d)
  StateVector g = x;                       // grad f_i(y)                               (d)
  StateVector s = x;                       // tracks the mean of all agents' gradients  (d)
  StateVector mixed = me.vector(2 * d());  // x and s, one after the other              (2 d)
  const Index first = given().sample_starts[i], n = samples(i).rows();
  const double* const labels = me.timing_only() ? nullptr : given().problem.y.data() + first;
  DaneStep local({.X = blocks_[i],
                  .y = VectorView(labels, labels ? n : 0),
                  .loss = *given().problem.loss,
                  .weight = weight(i),
                  .l2_weight = own_l2_weight()},
                 mu_);
  Cost more;  // of Newton's steps

  auto factor = [&] { local.factor(); };
  auto start = [&] { mixed.tail(d()) = s = g = gradient(i, y); };
  auto track = [&] {
    y = mixed.head(d());  // (1)
    const Vector h = gradient(i, y);
    s = mixed.tail(d()) + h - g;  // (2)
    g = h;
  };
  auto minimize = [&] {
    more = local.solve(y, g, s, x);  // (3)
    mixed << x, s;
  };

  me.report(0, x);
  co_await me.compute(gradient_work(i), start);
  if (local.is_direct()) co_await me.compute(local.factor_work(), factor);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await mixing_.mix(me, mixed);
    co_await me.compute(gradient_work(i) + vector_work(2, 5), track);
    co_await me.compute(local.solve_work(), minimize);
    if (!local.is_direct()) co_await me.compute(more);
    me.report(t, x);
  }
}

NetworkDane::NetworkDane(const NetworkDaneOptions& options, MethodInput input)
    : PeerAlgorithm(std::move(input), NetworkDaneOptions::kind, NetworkDaneOptions::traits),
      mixing_({}, given().network),
      mu_(options.mu) {
  const Loss& loss = *given().problem.loss;
  need_second_derivative(loss, NetworkDaneOptions::kind);
  need_square(NetworkDaneOptions::kind);
  if (given().timing_only && !loss.is_squared())
    throw Diagnosed("kind", "the squared loss with numerics off, since Newton's steps depend on the numbers",
                    std::string(loss.kind()));
  if (!given().timing_only && !(mu_ + own_l2_weight() > 0)) {
    const LeastCurvature least = least_curvature_of_agents();
    if (!(least.value > 0))
      throw Diagnosed(
          "mu",
          fmt::format("above 0, or an l2 regularizer: the Hessian of agent {}'s f_i may be singular", least.agent),
          "0");
  }
  const std::vector<Index>& starts = given().sample_starts;
  for (std::size_t k = 0; k + 1 < starts.size(); ++k)
    blocks_.push_back(given().problem.X->row_range(starts[k], starts[k + 1] - starts[k]));
  add_constant("mu", mu_);
}

std::optional<Bytes> NetworkDane::memory() const {
  Bytes bytes = *PeerAlgorithm::memory() + given().network.agents * DaneStep::memory(d());
  for (const DataMatrix& X : blocks_) bytes += X.bytes();
  return bytes;
}

}  // namespace lagnet
