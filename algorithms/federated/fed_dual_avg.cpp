#include "algorithms/federated/fed_dual_avg.hpp"

namespace lagnet {

Task<> FedDualAvg::serve(Agent& me) const {
  const double eta_E = eta_s_ * eta_c_ * static_cast<double>(E());
  Vector z = clients().start();  // the dual                 (d)
  Vector w = clients().start();  // the published model      (d)
  std::vector<Message> answers;  // z_k - z                  (d each)
  Round t = 0;                   // r + 1

  auto average = [&] {
    const std::vector<double> q = clients().weights(answers);
    for (std::size_t k = 0; k < answers.size(); ++k) z += eta_s_ * q[k] * answers[k].body.view();
    w = prox_in_ball(regularizer(), z, eta_E * static_cast<double>(t), rho_);
  };

  me.report(0, w);
  for (t = 1; t <= rounds(); ++t) {
    const Cohort S = me.cohort(t);
    send_to_all(me, S.members, t, z);
    answers = co_await me.collect(t, S);
    if (!answers.empty()) co_await me.compute(server_work(answers.size()), average);
    me.report(t, w);
  }
}

Task<> FedDualAvg::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  const double eta_E = eta_s_ * eta_c_ * static_cast<double>(E());
  Message request;  // z, the server's dual      (d)
  Vector z;         // own dual z_k              (d)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round);
    auto local_steps = [&] {
      const double r = static_cast<double>(request.round - 1);
      z = request.body.view();
      for (Index j = 0; j < E(); ++j) {
        const double eta = eta_E * r + eta_c_ * static_cast<double>(j);
        const Vector x = prox_in_ball(regularizer(), z, eta, rho_);  // own model (d)
        z -= eta_c_ * samples.gradient(loss(), x, batches.of_step(j));
      }
      z -= request.body.view();
    };
    co_await me.compute(client_work(me.id(), batches, request.round), local_steps);
    me.send(server_agent, request.round, z);
  }
}

Cost FedDualAvg::own_work(Round) const {
  const Cost step = vector_work(2 * d() + prox_in_ball_flops(regularizer(), d(), rho_), 5);
  return times(E(), step) + vector_work(d(), 3);
}

Cost FedDualAvg::server_work(std::size_t answers) const {
  const auto m = static_cast<Index>(answers);
  return vector_work(2 * m * d() + prox_in_ball_flops(regularizer(), d(), rho_), m + 4);
}

FedDualAvg::FedDualAvg(const FedDualAvgOptions& options, MethodInput assignment)
    : FederatedMethod(FedDualAvgOptions::kind, {options.local_steps, options.batch, options.weights},
                      std::move(assignment)),
      eta_c_(options.client_step),
      eta_s_(options.server_step),
      rho_(checked_radius(options.rho)) {}

std::vector<std::pair<std::string, double>> FedDualAvg::constants() const {
  return {{"E", static_cast<double>(E())}, {"eta_c", eta_c_}, {"eta_s", eta_s_}};
}

}  // namespace lagnet
