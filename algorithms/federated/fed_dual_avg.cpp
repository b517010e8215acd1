#include "algorithms/federated/fed_dual_avg.hpp"

namespace lagnet {

Task<> FedDualAvg::serve(Agent& me) const {
  StateVector z = clients().start(me);  // the dual                 (d)
  StateVector w = z;                    // the published model      (d)
  std::vector<Message> changes;         // z_k - z                  (d each)

  auto average = [&] {
    const double rounds = static_cast<double>(changes.front().round);  // r + 1
    clients().add_mean(changes, eta_s(), z);
    w = prox(z, eta_E() * rounds);
  };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    changes = co_await ask(me, t, z);
    if (!changes.empty()) co_await me.compute(mean_work(changes.size(), prox_flops(), 4), average);
    me.report(t, w);
  }
}

Task<> FedDualAvg::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  StateVector z = me.vector(d());  // own dual z_k, and then its change   (d)
  Vector x;                        // own model                           (d)
  Message request;                 // z, the server's dual                (d)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round, E());
    auto local_steps = [&] {
      const double r = static_cast<double>(request.round - 1);
      z = request.body.view();
      for (Index j = 0; j < E(); ++j) {
        const double eta = eta_E() * r + eta_c() * static_cast<double>(j);
        x = prox(z, eta);
        z -= eta_c() * samples.gradient(loss(), x, batches.of_step(j));
      }
      z -= request.body.view();
    };
    co_await me.compute(steps_work(me.id(), batches, vector_work(2 * d() + prox_flops(), 5)), local_steps);
    me.answer(request, z);
  }
}

}  // namespace lagnet
