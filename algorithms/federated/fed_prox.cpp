#include "algorithms/federated/fed_prox.hpp"

#include <utility>

namespace lagnet {

Task<> FedProx::train(Agent& me) const {
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
        x -= eta_c() * (samples.gradient(loss(), x, batches.of_step(j)) + *r.subgradient(x) + mu_ * (x - w));  // (2)
      x -= w;
    };
    co_await me.compute(client_work(me.id(), batches, request.round), local_steps);
    me.send(server_agent, request.round, x);
  }
}

Cost FedProx::own_work(Round round) const { return FedAvg::own_work(round) + times(E(), vector_work(3 * d(), 1)); }

FedProx::FedProx(const FedProxOptions& options, MethodInput assignment)
    : FedAvg(FedProxOptions::kind, options.averaging, std::move(assignment)), mu_(options.mu) {}

std::vector<std::pair<std::string, double>> FedProx::constants() const {
  auto values = FedAvg::constants();
  values.emplace_back("mu", mu_);
  return values;
}

}  // namespace lagnet
