#include "algorithms/federated/fed_avg.hpp"

namespace lagnet {

Task<> FedAvg::serve(Agent& me) const {
  StateVector w = clients().start(me);   // the model                (d)
  ServerState server(update_, me, d());  // what it keeps beside w
  std::vector<Message> changes;          // x_k - w                  (d each)
  Learnt learnt;                         // of the clients, for a server that chooses them

  auto average = [&] { server.move(w, changes); };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    if (selector().chooses())
      co_await selector().ask(me, t, w, learnt, changes);
    else
      changes = co_await ask(me, t, w);
    if (update_.takes(changes)) {
      co_await me.compute(update_.work(changes.size()), average);
      if (server.more() > 0) co_await me.compute(server.more());
    }
    me.report(t, w);
  }
}

Task<> FedAvg::train(Agent& me) const {
  StateVector x = me.vector(d());  // own model, and then its change  (d)
  StateVector measure;             // of w on own samples, for a server that chooses by it
  Message request, told;           // w, the server's model           (d)
  if (selector().measures()) measure = me.vector(1);
  for (;;) {
    if (selector().chooses())
      co_await selector().next_work(me, told, request);
    else
      request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round);
    auto take_steps = [&] {
      local_steps(me.id(), request.body.view(), batches, x);
      if (measure.size() > 0) measure[0] = selector().measure(me.id(), request.body.view());
    };
    co_await me.compute(steps_work(me.id(), batches, update_work()) + selector().measure_work(me.id()), take_steps);
    me.answer(request, selector().measures() ? joined_payload(x, measure) : Payload(x));
  }
}

void FedAvg::local_steps(AgentId client, VectorView w, const Minibatches& batches, StateVector& x) const {
  const RowBlock& samples = clients().samples(client);
  x = w;
  for (Index j = 0; j < batches.steps(); ++j)
    x -= eta_c() * direction(x, samples.gradient(loss(), x, batches.of_step(j)), w);
  x -= w;
}

}  // namespace lagnet
