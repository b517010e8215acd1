#include "algorithms/federated/fed_avg.hpp"

namespace lagnet {

Task<> FedAvg::serve(Agent& me) const {
  StateVector w = clients().start(me);   // the model                (d)
  ServerState server(update_, me, d());  // what it keeps beside w
  std::vector<Message> changes;          // x_k - w                  (d each)

  auto average = [&] { server.move(w, changes); };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    changes = co_await ask(me, t, w);
    if (!changes.empty())
      co_await me.compute(mean_work(changes.size(), update_.flops() * d(), 2 + update_.passes()), average);
    me.report(t, w);
  }
}

Task<> FedAvg::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  StateVector x = me.vector(d());  // own model, and then its change  (d)
  Message request;                 // w, the server's model           (d)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round);
    auto local_steps = [&] {
      const VectorView w = request.body.view();
      x = w;
      for (Index j = 0; j < batches.steps(); ++j)
        x -= eta_c() * direction(x, samples.gradient(loss(), x, batches.of_step(j)), w);
      x -= w;
    };
    co_await me.compute(steps_work(me.id(), batches, update_work()), local_steps);
    me.answer(request, x);
  }
}

}  // namespace lagnet
