#include "algorithms/peers/relay_sgd.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace lagnet {

Task<> RelaySgd::run(Agent& me) const {
  const Index deg = me.degree();
  const double alpha = alpha_, m = static_cast<double>(given().network.agents);
  StateVector x = me.vector(d());                                           // the iterate                  (d)
  StateVector h = x;                                                        // x after a gradient step      (d)
  StateVector all = x;                                                      // h and all m_ji               (d)
  std::vector<StateVector> in(static_cast<std::size_t>(deg), x), out = in;  // m_ji and m_ij, by neighbor j (d each)
  std::vector<Message> came;                                                // m_ji                         (d each)
  Minibatches batch = minibatches(me, 1, options_.batch, 1);

  auto descend = [&] {
    h = x - alpha * gradient(me.id(), x, batch.of_step(0));  // (1)
    all = h;
    for (const StateVector& m_ji : in) all += m_ji;
    for (std::size_t j = 0; j < in.size(); ++j) out[j] = all - in[j];  // (2)
  };
  auto add_up = [&] {
    x = h;
    for (std::size_t j = 0; j < in.size(); ++j) {
      in[j] = came[j].body.view();
      x += in[j];
    }
    x = x / m;  // (3)
  };

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    batch = minibatches(me, t, options_.batch, 1);
    const Cost descent = gradients_work(me.id(), options_.batch, batch, 1);
    co_await me.compute(descent + vector_work(2 * deg + 2, 3 * deg + 4), descend);
    came = co_await me.exchange_each(out);
    co_await me.compute(vector_work(deg + 1, deg + 2), add_up);
    me.report(t, x);
  }
}

RelaySgd::RelaySgd(const RelaySgdOptions& options, MethodInput input)
    : PeerAlgorithm(std::move(input), RelaySgdOptions::kind, RelaySgdOptions::traits), options_(options) {
  const NetworkFacts& network = given().network;
  if (network.edges != network.agents - 1)
    throw Diagnosed("kind", "an algorithm for any graph, since relay_sgd needs a tree",
                    fmt::format("relay_sgd, and {} agents with {} edges", network.agents, network.edges));
  remark_on_batch(options.batch);
  if (options.step)
    alpha_ = *options.step;
  else if (!given().timing_only)
    alpha_ = 1 / (2 * largest_curvature_of_agents("step"));
  if (alpha_ > 0) add_constant("step", alpha_);
}

std::optional<Bytes> RelaySgd::memory() const {
  const NetworkFacts& network = given().network;
  return *PeerAlgorithm::memory() + Bytes{sizeof(double)} * 2 * network.agents * network.max_degree * d();
}

}  // namespace lagnet
