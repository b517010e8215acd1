#include "algorithms/federated/fed_mid.hpp"

namespace lagnet {

Task<> FedMid::serve(Agent& me) const {
  StateVector w = clients().start(me);                    // the model                (d)
  auto average = [&](std::span<const Message> changes) {  // x_k - w                  (d each)
    clients().add_mean(changes, eta_s(), w);
    w = prox(w, server_step_);
  };
  co_await serve_rounds(me, w, average, w);
}

Task<> FedMid::train(Agent& me) const {
  return change_by_steps(me, [this](const Vector& x, const Vector& g, VectorView) {
    const StateVector next = x - eta_c() * g;
    return prox(next, eta_c());
  });
}

Cost FedMid::server_work(std::size_t answers) const {
  const Flops of_ball = rho() == no_ball ? 0 : 3 * d();
  return mean_work(answers, server_step_ == 0 ? of_ball : prox_flops(), 4);
}

FedMid::FedMid(const FedMidOptions& options, MethodInput given) : AveragingMethod(options, std::move(given)) {
  const double steps = options.server_prox == ServerProx::steps ? static_cast<double>(E()) : 1;
  if (options.server_prox != ServerProx::none) server_step_ = eta_s() * eta_c() * steps;
  add_constant("server_prox", server_step_);
}

}  // namespace lagnet
