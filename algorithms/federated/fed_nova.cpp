#include "algorithms/federated/fed_nova.hpp"

#include <fmt/format.h>

namespace lagnet {

Task<> FedNova::serve(Agent& me) const {
  StateVector w = clients().start(me);   // the model                                    (d)
  ServerState server(update_, me, d());  // what it keeps beside w
  std::vector<Message> answers;          // d_k, and a_k or tau_k                        (d + 1 each)
  Learnt learnt;                         // of the clients, for a server that chooses them

  auto average = [&] {
    const double* number = std::get_if<double>(&tau_eff_);
    const std::vector<double> q = update_.weights(answers);
    double tau_eff = number ? *number : 0;
    if (!number)
      for (std::size_t k = 0; k < answers.size(); ++k) tau_eff += q[k] * answers[k].body.view()[d()];
    server.move(w, answers, tau_eff);  // (3.3)
  };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    if (selector().chooses())
      co_await selector().ask(me, t, w, learnt, answers);
    else
      answers = co_await ask(me, t, w);
    if (update_.takes(answers)) {
      co_await me.compute(update_.work(answers.size()), average);
      if (server.more() > 0) co_await me.compute(server.more());
    }
    me.report(t, w);
  }
}

Task<> FedNova::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  const bool sends_steps = tau_eff_ == std::variant<EffectiveSteps, double>(EffectiveSteps::steps);
  const Cost momentum = rho_ > 0 ? vector_work(2 * d(), 1) : Cost();
  const Cost proximal = mu_ > 0 ? vector_work(3 * d(), 1) : Cost();
  StateVector x = me.vector(d());           // own model                       (d)
  StateVector u = x;                        // direction, with momentum        (d)
  StateVector answer = me.vector(d() + 1);  // d_k, and a_k or tau_k
  StateVector measure;                      // of w on own samples, for a server that chooses by it
  Message request, told;                    // w, the server's model           (d)
  if (selector().measures()) measure = me.vector(1);
  for (;;) {
    if (selector().chooses())
      co_await selector().next_work(me, told, request);
    else
      request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round);
    auto local_steps = [&] {
      const VectorView w = request.body.view();
      double a = 0, c = 0;
      x = w;
      u.setZero();
      for (Index j = 0; j < batches.steps(); ++j) {
        const StateVector g = samples.gradient(loss(), x, batches.of_step(j)) + *regularizer().subgradient(x);
        if (rho_ > 0)
          u = rho_ * u + g;  // (3.1)
        else
          u = g;
        if (mu_ > 0)
          x -= eta_c() * (u + mu_ * (x - w));  // (3.1)
        else
          x -= eta_c() * u;
        c = rho_ * c + 1;                 // (3.2)
        a = (1 - eta_c() * mu_) * a + c;  // (3.2)
      }
      x -= w;
      x *= 1 / a;
      answer << x, sends_steps ? static_cast<double>(batches.steps()) : a;
      if (measure.size() > 0) measure[0] = selector().measure(me.id(), w);
    };
    co_await me.compute(steps_work(me.id(), batches, descent_work() + momentum + proximal) + vector_work(d(), 2) +
                            selector().measure_work(me.id()),
                        local_steps);
    me.answer(request, selector().measures() ? joined_payload(answer, measure) : Payload(answer));
  }
}

FedNova::FedNova(const FedNovaOptions& options, MethodInput given)
    : ClientStepsMethod(FedNovaOptions::kind, options, std::move(given)),
      rho_(options.momentum),
      mu_(options.mu),
      tau_eff_(options.effective_steps),
      update_(options.server, clients(), this->given(), eta_s()) {
  if (eta_c() > 0 && !(eta_c() * mu_ < 1))
    throw Diagnosed("mu", fmt::format("below 1 / client_step = {:.6g}", 1 / eta_c()), fmt::format("{}", mu_));
  if (rho_ > 0) add_constant("momentum", rho_);
  if (mu_ > 0) add_constant("mu", mu_);
  add_warnings(update_.warnings());
}

}  // namespace lagnet
