#include "algorithms/peers/optimal/ssda.hpp"

#include <cmath>
#include <string>
#include <utility>

namespace lagnet {

Task<> Ssda::run(Agent& me) const {
  const AgentId i = me.id();
  const double eta = eta_, beta = beta_;
  StateVector theta = me.vector(d());  // grad f_i*(x_i), the iterate                (d)
  StateVector x = theta;               // own dual variable                          (d)
  StateVector y = theta, y_new = y;    // dual variables before the momentum         (d)
  StateVector u = theta;               // theta, then P(Wl) theta                    (d)
  const Index first = given().sample_starts[i], n = samples(i).rows();
  const double* const labels = me.timing_only() ? nullptr : given().problem.y.data() + first;
  DualGradient dual({.X = blocks_[i],
                     .y = VectorView(labels, labels ? n : 0),
                     .loss = *given().problem.loss,
                     .weight = weight(i),
                     .l2_weight = own_l2_weight()});
  Cost more;  // of Newton's steps

  auto factor = [&] { dual.factor(); };
  auto invert = [&] {
    more = dual.solve(x, theta);  // (1)
    u = theta;
  };
  auto ascend = [&] {
    y_new = x - eta * u;             // (2)
    x = y_new + beta * (y_new - y);  // (3)
    y = y_new;
  };

  me.report(0, theta);
  if (dual.is_direct()) co_await me.compute(dual.factor_work(), factor);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(dual.solve_work(), invert);
    if (!dual.is_direct()) co_await me.compute(more);
    co_await P_.multiply(me, u);
    co_await me.compute(vector_work(5, 6), ascend);
    me.report(t, theta);
  }
}

Ssda::Ssda(const OwnCurvatureOptions& curvature, std::optional<Index> K, MethodInput input, std::string_view kind,
           const AlgorithmTraits& traits)
    : StronglyConvexPeers(curvature, std::move(input), kind, traits), P_(K, given().network, kind) {
  need_square(kind);
  const Loss& loss = *given().problem.loss;
  if (loss.outputs() > 1)
    throw Diagnosed("kind", "a loss with one score a sample, for a method that needs gradients of conjugates",
                    std::string(loss.kind()));
  if (given().timing_only && !loss.is_squared())
    throw Diagnosed("kind", "the squared loss with numerics off, since Newton's steps depend on the numbers",
                    std::string(loss.kind()));
  const std::vector<Index>& starts = given().sample_starts;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i)
    blocks_.push_back(given().problem.X->row_range(starts[i], starts[i + 1] - starts[i]));
  add_constant("K", static_cast<double>(P_.K()));
  if (given().timing_only) return;
  const double root = std::sqrt(L() / mu()), root_g = std::sqrt(P_.least() / P_.largest());
  eta_ = mu() / P_.largest();
  beta_ = (root - root_g) / (root + root_g);
  add_constants({{"mu", mu()}, {"L", L()}, {"chi", P_.chi()}, {"eta", eta_}, {"beta", beta_}});
}

std::optional<Bytes> Ssda::memory() const {
  Bytes bytes = *PeerAlgorithm::memory() + given().network.agents * DualGradient::memory(d());
  for (const DataMatrix& X : blocks_) bytes += X.bytes();
  return bytes;
}

}  // namespace lagnet
