#include "algorithms/peers/led.hpp"

#include <fmt/format.h>

#include <utility>

namespace lagnet {

Task<> Led::run(Agent& me) const {
  const Index K = options().local.local_steps;
  const double alpha = alpha_, beta = options().beta_in_use();
  StateVector x = me.vector(d());  // the iterate                          (d)
  StateVector y = x;               // multiplier of the agreement          (d)
  StateVector v = x;               // after the local steps                (d)
  StateVector pull = x;            // beta y                               (d)
  Minibatches batches = minibatches(me, 1, options().local.batch, K);

  auto descend = [&] {
    pull = beta * y;
    for (Index k = 0; k < K; ++k) x -= alpha * gradient(me.id(), x, batches.of_step(k)) + pull;  // (1)
    v = x;
  };
  auto correct = [&] { y += v - x; };  // (3)

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    batches = minibatches(me, t, options().local.batch, K);
    const Cost descent = gradients_work(me.id(), options().local.batch, batches, K) + K * vector_work(3, 4);
    co_await me.compute(descent + vector_work(1, 2), descend);
    co_await mix(me, x);  // (2)
    co_await me.compute(vector_work(2, 4), correct);
    me.report(t, x);
  }
}

namespace {

constexpr double least_eigenvalue = -1.0 / 3;

MethodInput with_weights_of(const LedOptions& options, MethodInput given) {
  NetworkFacts& network = given.network;
  if (options.lazy) {
    make_lazy(network);
  } else if (network.changes) {
    throw Diagnosed("lazy", "true, since the topology changes", "false");
  } else if (network.gossip_lowest <= least_eigenvalue) {
    throw Diagnosed("lazy", "true, or a gossip matrix whose eigenvalues are above -1/3",
                    fmt::format("false, and the eigenvalue {:.6g}", network.gossip_lowest));
  }
  return given;
}

}  // namespace

Led::Led(const LedOptions& options, MethodInput input)
    : MixingMethod(options, with_weights_of(options, std::move(input))) {
  add_warnings(mixing_.semidefinite_warnings());
  remark_on_batch(options.local.batch);
}

std::vector<Constant> Led::constants() const {
  std::vector<Constant> all = MixingMethod::constants();
  all.emplace_back("beta", options().beta_in_use());
  return all;
}

}  // namespace lagnet
