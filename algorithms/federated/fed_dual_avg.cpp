#include "algorithms/federated/fed_dual_avg.hpp"

namespace lagnet {

Task<> FedDualAvg::serve(Agent& me) const {
  StateVector z = clients().start(me);                                 // the dual                 (d)
  StateVector w = z;                                                   // the published model      (d)
  auto average = [&](std::span<const Message> changes) {               // z_k - z                  (d each)
    const double rounds = static_cast<double>(changes.front().round);  // r + 1
    clients().add_mean(changes, eta_s(), z);
    w = prox(z, eta_E() * rounds);
  };
  co_await serve_rounds(me, z, average, w);
}

Task<> FedDualAvg::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  return train_rounds(me, [&samples, this](const Message& request, const Minibatches& batches) {
    const double r = static_cast<double>(request.round - 1);
    StateVector z = request.body.view();  // own dual z_k             (d)
    for (Index j = 0; j < E(); ++j) {
      const double eta = eta_E() * r + eta_c() * static_cast<double>(j);
      const Vector x = prox(z, eta);  // own model                (d)
      z -= eta_c() * samples.gradient(loss(), x, batches.of_step(j));
    }
    return StateVector(z - request.body.view());
  });
}

}  // namespace lagnet
