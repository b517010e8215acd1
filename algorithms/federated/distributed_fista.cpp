#include "algorithms/federated/distributed_fista.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lagnet {

Task<> DistributedFista::serve(Agent& me) const {
  StateVector w = clients().start(me);  // the iterate                     (d)
  StateVector z = w;                    // where gradients are taken       (d)
  double t_k = 1;                       // what growing momentum grows by
  std::vector<Message> gradients;       // grad L_k(z)                     (d each)

  auto step = [&] {
    const Vector next = descend(z, gradients);                     // (4.1)
    const double t_next = (1 + std::sqrt(1 + 4 * t_k * t_k)) / 2;  // (4.2)
    z = next + beta_.value_or((t_k - 1) / t_next) * (next - w);    // (4.3)
    w = next;
    t_k = t_next;
  };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    gradients = co_await ask(me, t, z);
    if (!gradients.empty()) co_await me.compute(descend_work(gradients.size()) + vector_work(3 * d(), 4), step);
    me.report(t, w);
  }
}

std::optional<RateBound> DistributedFista::rate_bound(const ErrorScale& scale) const {
  const auto step = proximal_step();
  if (!step) return std::nullopt;
  if (!beta_) return fista_bound(*step, given().start, scale);
  if (problem().constraint || given().start.size() > 0) return std::nullopt;
  return constant_momentum_bound(*step, q_, scale);
}

DistributedFista::DistributedFista(const DistributedFistaOptions& options, MethodInput given)
    : DistributedProximalGradient(DistributedFistaOptions::kind, options, std::move(given)) {
  if (options.momentum == Momentum::growing || !has_numbers()) return;
  const double mu = options.mu.value_or(0), mu_r = regularizer().l2_weight().value_or(0);
  if (!(mu + mu_r > 0))
    throw Diagnosed("mu", "a number above 0, since the regularizer has no square with a weight above 0",
                    fmt::format("{}", mu));
  if (!(s() * mu <= 1)) throw Diagnosed("mu", fmt::format("at most {:.6g}, 1/step", 1 / s()), fmt::format("{}", mu));
  q_ = s() * (mu + mu_r) / (1 + s() * mu_r);
  beta_ = (1 - std::sqrt(q_)) / (1 + std::sqrt(q_));
  add_constant("beta", *beta_);
}

}  // namespace lagnet
