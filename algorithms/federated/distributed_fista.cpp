#include "algorithms/federated/distributed_fista.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace lagnet {

Task<> DistributedFista::serve(Agent& me) const {
  StateVector w = clients().start(me);                             // the iterate                     (d)
  StateVector z = w;                                               // where gradients are taken       (d)
  double t_k = 1;                                                  // what growing momentum grows by
  auto step = [&](std::span<const Message> gradients) {            // grad L_k(z)                     (d each)
    const Vector next = descend(z, gradients);                     // (4.1)
    const double t_next = (1 + std::sqrt(1 + 4 * t_k * t_k)) / 2;  // (4.2)
    z = next + beta_.value_or((t_k - 1) / t_next) * (next - w);    // (4.3)
    w = next;
    t_k = t_next;
  };
  co_await serve_rounds(me, z, step, w);
}

Cost DistributedFista::server_work(std::size_t answers) const {
  return GradientServer::server_work(answers) + vector_work(3 * d(), 4);
}

DistributedFista::DistributedFista(const DistributedFistaOptions& options, MethodInput assignment)
    : GradientServer(DistributedFistaOptions::kind, options.L, options.step, std::move(assignment)) {
  if (options.momentum == Momentum::growing || !has_numbers()) return;
  const double mu = options.mu.value_or(0), mu_r = regularizer().l2_weight().value_or(0);
  if (!(mu + mu_r > 0))
    throw OptionError("mu", "a number above 0, since the regularizer has no square with a weight above 0",
                      fmt::format("{}", mu));
  if (!(s() * mu <= 1)) throw OptionError("mu", fmt::format("at most {:.6g}, 1/step", 1 / s()), fmt::format("{}", mu));
  const double q = s() * (mu + mu_r) / (1 + s() * mu_r);
  beta_ = (1 - std::sqrt(q)) / (1 + std::sqrt(q));
}

std::vector<Constant> DistributedFista::constants() const {
  std::vector<Constant> values{{"step", s()}};
  if (beta_) values.emplace_back("beta", *beta_);
  return values;
}

}  // namespace lagnet
