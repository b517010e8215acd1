#include "algorithms/federated/fed_mid.hpp"

namespace lagnet {

Task<> FedMid::serve(Agent& me) const {
  Vector w = clients().start();  // the model       (d)
  std::vector<Message> answers;  // x_k - w         (d each)

  auto average = [&] {
    const std::vector<double> q = clients().weights(answers);
    for (std::size_t k = 0; k < answers.size(); ++k) w += eta_s_ * q[k] * answers[k].body.view();
    w = prox_in_ball(regularizer(), w, server_threshold_, rho_);
  };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    const Cohort S = me.cohort(t);
    send_to_all(me, S.members, t, w);
    answers = co_await me.collect(t, S);
    if (!answers.empty()) co_await me.compute(server_work(answers.size()), average);
    me.report(t, w);
  }
}

Task<> FedMid::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  Message request;  // w, the server's model     (d)
  Vector x;         // own model                 (d)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round);
    auto local_steps = [&] {
      const VectorView w = request.body.view();
      x = w;
      for (Index j = 0; j < E(); ++j)
        x = prox_in_ball(regularizer(), x - eta_c_ * samples.gradient(loss(), x, batches.of_step(j)), eta_c_, rho_);
      x -= w;
    };
    co_await me.compute(client_work(me.id(), batches, request.round), local_steps);
    me.send(server_agent, request.round, x);
  }
}

Cost FedMid::own_work(Round) const {
  const Cost step = vector_work(2 * d() + prox_in_ball_flops(regularizer(), d(), rho_), 5);
  return times(E(), step) + vector_work(d(), 3);
}

Cost FedMid::server_work(std::size_t answers) const {
  const auto m = static_cast<Index>(answers);
  const Flops of_ball = rho_ == no_ball ? 0 : 3 * d();
  const Flops prox = server_threshold_ == 0 ? of_ball : prox_in_ball_flops(regularizer(), d(), rho_);
  return vector_work(2 * m * d() + prox, m + 4);
}

FedMid::FedMid(const FedMidOptions& options, MethodInput assignment)
    : FederatedMethod(FedMidOptions::kind, {options.local_steps, options.batch, options.weights},
                      std::move(assignment)),
      eta_c_(options.client_step),
      eta_s_(options.server_step),
      rho_(checked_radius(options.rho)) {
  const double single = eta_s_ * eta_c_, steps = static_cast<double>(E());
  server_threshold_ = options.server_prox == ServerProx::steps    ? single * steps
                      : options.server_prox == ServerProx::single ? single
                                                                  : 0;
}

std::vector<std::pair<std::string, double>> FedMid::constants() const {
  return {{"E", static_cast<double>(E())}, {"eta_c", eta_c_}, {"eta_s", eta_s_}, {"server_prox", server_threshold_}};
}

}  // namespace lagnet
