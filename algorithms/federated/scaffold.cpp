#include "algorithms/federated/scaffold.hpp"

namespace lagnet {

Task<> Scaffold::serve(Agent& me) const {
  StateVector w = clients().start(me);  // the model                                 (d)
  StateVector c = me.vector(d());       // control variate, sum_k pi_k c_k           (d)
  std::vector<Message> changes;         // dx_k = x_k - w and dc_k = c_k^+ - c_k     (2 d each)

  auto average = [&] {
    clients().add_mean(changes, eta_s(), w);
    for (const Message& of_k : changes) c += clients().pi(of_k.from) * part_of(of_k.body, 1, d());
  };

  me.report(0, w, c);
  for (Round t = 1; t <= rounds(); ++t) {
    changes = co_await ask(me, t, joined_payload(w, c));
    const Index m = std::ssize(changes);
    if (m > 0) co_await me.compute(vector_work(4 * m * d(), 2 * (m + 2)), average);
    me.report(t, w, c);
  }
}

Task<> Scaffold::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  const bool takes_path = control_ == ControlVariate::local_path;  // option II
  const Index fresh = takes_path ? 0 : 1;                          // gradients beside those of steps
  const Cost update = descent_work() + vector_work(2 * d(), 2);
  const Cost changes = takes_path ? vector_work(5 * d(), 8) : vector_work(3 * d(), 6);
  StateVector c_k = me.vector(d());         // own control variate, kept between rounds   (d)
  StateVector x, dx, dc;                    // own model; changes of it and of c_k        (d)
  StateVector answer = me.vector(2 * d());  // dx and dc
  Message request;                          // w and c
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round, fresh);
    const Index tau = batches.steps() - fresh;
    auto local_steps = [&] {
      const VectorView w = part_of(request.body, 0, d()), c = part_of(request.body, 1, d());
      x = w;
      for (Index j = 0; j < tau; ++j)
        x -= eta_c() * (samples.gradient(loss(), x, batches.of_step(j)) + *regularizer().subgradient(x) - c_k + c);
      dx = x - w;
      if (takes_path)
        dc = -c - dx / (static_cast<double>(tau) * eta_c());  // option II, c_k^+ = c_k - c + (w - x)/(tau eta_c)
      else
        dc = samples.gradient(loss(), Vector(w), batches.of_step(tau)) - c_k;  // option I
      c_k += dc;
      answer << dx, dc;
    };
    co_await me.compute(gradients_work(me.id(), batches) + times(tau, update) + changes, local_steps);
    me.answer(request, answer);
  }
}

Scaffold::Scaffold(const ScaffoldOptions& options, MethodInput given)
    : ClientStepsMethod(ScaffoldOptions::kind, options, std::move(given), 2), control_(options.control) {}

Remarks Scaffold::remarks(const RunCounts& counts) const {
  Remarks all = FederatedMethod::remarks(counts);
  if (counts.missing > 0)
    all.push_back({"control_variate_off",
                   {},
                   "where an answer was missed, the control variate c is no longer the mean of the c_k"});
  return all;
}

}  // namespace lagnet
