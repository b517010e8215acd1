#include "algorithms/federated/fed_avg.hpp"

namespace lagnet {

Task<> FedAvg::serve(Agent& me) const {
  Vector w = clients().start();  // the model       (d)
  std::vector<Message> answers;  // x_k - w         (d each)

  auto average = [&] {
    const std::vector<double> q = clients().weights(answers);
    for (std::size_t k = 0; k < answers.size(); ++k) w += eta_s_ * q[k] * answers[k].body.view();
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

Task<> FedAvg::train(Agent& me) const {
  const Regularizer& r = regularizer();
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
        x -= eta_c_ * (samples.gradient(loss(), x, batches.of_step(j)) + *r.subgradient(x));
      x -= w;
    };
    co_await me.compute(client_work(me.id(), batches, request.round), local_steps);
    me.send(server_agent, request.round, x);
  }
}

Cost FedAvg::own_work(Round) const {
  const Cost update = vector_work(2 * d() + regularizer().subgradient_flops(d()), 3);  // of x, by the gradient
  const Cost change = vector_work(d(), 3);                                             // x - w
  return times(E(), update) + change;
}

Cost FedAvg::server_work(std::size_t answers) const {
  const auto m = static_cast<Index>(answers);
  return vector_work(2 * m * d(), m + 2);
}

FedAvg::FedAvg(const FedAvgOptions& options, MethodInput assignment)
    : FedAvg(FedAvgOptions::kind, options, std::move(assignment)) {}

FedAvg::FedAvg(std::string_view kind, const FedAvgOptions& options, MethodInput assignment)
    : FederatedMethod(kind, {options.local_steps, options.batch, options.weights}, std::move(assignment)),
      eta_c_(options.client_step),
      eta_s_(options.server_step) {
  need_subgradient(problem(), kind);
}

void need_subgradient(const Problem& problem, std::string_view kind) {
  if (!problem.regularizer->subgradient(Vector::Zero(problem.dim())))
    throw OptionError("kind", "an algorithm that needs no subgradient, which this regularizer does not offer",
                      std::string(kind));
}

std::vector<std::pair<std::string, double>> FedAvg::constants() const {
  return {{"E", static_cast<double>(E())}, {"eta_c", eta_c_}, {"eta_s", eta_s_}};
}

}  // namespace lagnet
