#include "algorithms/federated/fed_mid.hpp"

namespace lagnet {

Task<> FedMid::serve(Agent& me) const {
  StateVector w = clients().start(me);  // the model                (d)
  std::vector<Message> changes;         // x_k - w                  (d each)

  auto average = [&] {
    clients().add_mean(changes, eta_s(), w);
    w = prox(w, server_step_);
  };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    changes = co_await ask(me, t, w);
    if (!changes.empty()) co_await me.compute(mean_work(changes.size(), server_prox_flops_, 4), average);
    me.report(t, w);
  }
}

Task<> FedMid::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  StateVector x = me.vector(d());  // own model, and then its change          (d)
  StateVector next = x;            // what the prox of a step is taken of     (d)
  Message request;                 // w, the server's model                   (d)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round, E());
    auto local_steps = [&] {
      x = request.body.view();
      for (Index j = 0; j < E(); ++j) {
        next = x - eta_c() * samples.gradient(loss(), x, batches.of_step(j));
        x = prox(next, eta_c());
      }
      x -= request.body.view();
    };
    co_await me.compute(steps_work(me.id(), batches, vector_work(2 * d() + prox_flops(), 5)), local_steps);
    me.answer(request, x);
  }
}

FedMid::FedMid(const FedMidOptions& options, MethodInput given)
    : AveragingMethod(FedMidOptions::kind, options, std::move(given), options.rho) {
  const double steps = options.server_prox == ServerProx::steps ? static_cast<double>(E()) : 1;
  const bool has_prox = options.server_prox != ServerProx::none;
  if (has_prox) server_step_ = eta_s() * eta_c() * steps;
  server_prox_flops_ = prox_flops(has_prox ? 1 : 0);  // a timing-only run does not know a step that theory gives
  add_constant("server_prox", server_step_);
}

}  // namespace lagnet
