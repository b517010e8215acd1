#include "algorithms/peers/dgd.hpp"

#include <algorithm>
#include <cmath>

namespace lagnet {

Task<> Dgd::run(Agent& me) const {
  double alpha = alpha_;
  StateVector x = me.vector(d());  // the iterate            (d)
  StateVector u = x;               // what it steps along    (d)
  DescentDirection direction = direction_of(me);
  const bool adapts_first = options().form == DgdForm::adapt_then_combine;

  auto evaluate = [&] {
    u = direction.at(x);               // (1)
    if (adapts_first) x -= alpha * u;  // (3)
  };
  auto descend = [&] {
    if (!adapts_first) x -= alpha * u;  // (2)
    x = P_(x, alpha);
  };
  const Cost before = adapts_first ? vector_work(2, 3) : Cost(),
             after = adapts_first ? prox_work(0, 2) : prox_work(2, 4);

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    alpha = alpha_ / std::pow(static_cast<double>(t), options().decay);
    co_await me.compute(direction.draw(t) + before, evaluate);
    co_await mix(me, x);
    co_await me.compute(after, descend);
    me.report(t, x);
  }
}

std::optional<RateBound> Dgd::rate_bound(const ErrorScale& scale) const {
  const auto theory = plain_theory(scale);
  const bool is_plain = options().decay == 0 && options().form == DgdForm::combine_then_adapt;
  if (!theory || !is_plain) return std::nullopt;
  const double q = std::max(1 - alpha_ * theory->mu, alpha_ * theory->L - given().network.gossip_lowest);
  const double gap = 1 - given().network.gossip_second;
  if (!(q < 1 && gap > 0)) return std::nullopt;
  const double m = static_cast<double>(given().network.agents);
  double squared = 0;  // |grad f(x*)|^2
  for (const AgentId i : reporters()) squared += gradient(i, *scale.minimizer).squaredNorm();
  const double floor = std::sqrt(alpha_ * squared / (4 * theory->mu * gap * m));
  return RateBound{.measure = "optimum_distance",
                   .C = scale.minimizer->norm() + floor,
                   .q = q,
                   .floor = floor,
                   .exponent = 2,
                   .resolution = theory->resolution,
                   .text =
                       "(e + (|x*| + e) q^t)^2, q = max(1 - alpha mu, alpha L - lambda_m), e^2 = alpha |grad "
                       "f(x*)|^2 / (4 mu (1 - lambda_2) m)",
                   .source = "header of dgd"};
}

}  // namespace lagnet
