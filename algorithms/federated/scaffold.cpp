#include "algorithms/federated/scaffold.hpp"

#include "algorithms/federated/fed_avg.hpp"

namespace lagnet {

Task<> Scaffold::serve(Agent& me) const {
  Vector w = clients().start();  // the model                        (d)
  Vector c = Vector::Zero(d());  // control variate, sum_k pi_k c_k  (d)
  std::vector<Message> answers;  // dx_k = x_k - w, dc_k             (2 d each)

  auto average = [&] {
    const std::vector<double> q = clients().weights(answers);
    for (std::size_t k = 0; k < answers.size(); ++k) {
      w += eta_s_ * q[k] * part_of(answers[k].body, 0, d());
      c += clients().pi(answers[k].from) * part_of(answers[k].body, 1, d());
    }
  };

  me.report(0, w, c);
  for (Round t = 1; t <= rounds(); ++t) {
    const Cohort S = me.cohort(t);
    send_to_all(me, S.members, t, joined_payload(w, c));
    answers = co_await me.collect(t, S);
    if (!answers.empty()) co_await me.compute(server_work(answers.size()), average);
    me.report(t, w, c);
  }
}

Task<> Scaffold::train(Agent& me) const {
  const Regularizer& r = regularizer();
  const RowBlock& samples = clients().samples(me.id());
  const double E_eta = static_cast<double>(E()) * eta_c_;
  Message request;                 // w, c                                        (2 d)
  Vector x;                        // own model, then how far it came             (d)
  Vector c_k = Vector::Zero(d());  // own control variate, kept between rounds   (d)
  Vector dc;                       // its change                                  (d)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round);
    auto local_steps = [&] {
      const VectorView w = part_of(request.body, 0, d()), c = part_of(request.body, 1, d());
      x = w;
      for (Index j = 0; j < E(); ++j)
        x -= eta_c_ * (samples.gradient(loss(), x, batches.of_step(j)) + *r.subgradient(x) - c_k + c);
      x -= w;
      if (control_ == ControlVariate::local_path)
        dc = -c - x / E_eta;  // option II, c_k^+ = c_k - c + (w - x)/(E eta_c)
      else
        dc = samples.gradient(loss(), Vector(w), batches.of_step(E())) - c_k;  // option I
      c_k += dc;
    };
    co_await me.compute(client_work(me.id(), batches, request.round), local_steps);
    if (probe_) probe_(me.id(), request.round, c_k);
    me.send(server_agent, request.round, joined_payload(x, dc));
  }
}

Cost Scaffold::own_work(Round) const {
  const Cost update = vector_work(4 * d() + regularizer().subgradient_flops(d()), 5);
  const Cost changes = control_ == ControlVariate::local_path ? vector_work(5 * d(), 8) : vector_work(2 * d(), 6);
  return times(E(), update) + changes;
}

Cost Scaffold::server_work(std::size_t answers) const {
  const auto m = static_cast<Index>(answers);
  return vector_work(4 * m * d(), 2 * (m + 2));
}

Scaffold::Scaffold(const ScaffoldOptions& options, MethodInput assignment)
    : FederatedMethod(ScaffoldOptions::kind, {options.local_steps, options.batch, options.weights},
                      std::move(assignment)),
      eta_c_(options.client_step),
      eta_s_(options.server_step),
      control_(options.control) {
  need_subgradient(problem(), ScaffoldOptions::kind);
}

std::vector<std::pair<std::string, double>> Scaffold::constants() const {
  return {{"E", static_cast<double>(E())}, {"eta_c", eta_c_}, {"eta_s", eta_s_}};
}

std::vector<std::string> Scaffold::remarks(std::int64_t missing) const {
  std::vector<std::string> all = FederatedMethod::remarks(missing);
  if (missing > 0) all.push_back("where an answer was missed, the control variate c is no longer the mean of the c_k");
  return all;
}

}  // namespace lagnet
