#include "algorithms/peers/lt_admm.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace lagnet {

Task<> LtAdmm::run(Agent& me) const {
  const Index K = options_.local.local_steps, deg = me.degree();
  const double alpha = alpha_, beta = beta_, rho = options_.rho, rho_deg = rho * static_cast<double>(deg);
  StateVector x = me.vector(d());                                   // the iterate                        (d)
  StateVector r = x;                                                // beta times the disagreement        (d)
  StateVector sum = x;                                              // of the z_ij                        (d)
  StateVector doubled = x;                                          // 2 rho x                            (d)
  std::vector<StateVector> z(static_cast<std::size_t>(deg), x), m;  // z_ij and m_ij, by neighbor j       (d each)
  std::vector<Message> came;                                        // m_ji of those j whose message came (d each)
  Minibatches batches = minibatches(me, 1, options_.local.batch, K);
  m = z;

  auto descend = [&] {
    sum.setZero();
    for (const StateVector& z_ij : z) sum += z_ij;
    r = beta * (rho_deg * x - sum);
    for (Index k = 0; k < K; ++k) x -= alpha * gradient(me.id(), x, batches.of_step(k)) + r;  // (1)
    doubled = 2 * rho * x;
    for (std::size_t j = 0; j < z.size(); ++j) m[j] = z[j] - doubled;  // (2)
  };
  auto reflect = [&] {
    std::size_t j = 0;
    for (const Message& m_ji : came) {
      while (me.neighbors()[j] != m_ji.from) ++j;
      z[j] = (z[j] - m_ji.body.view()) / 2;  // (3)
    }
  };

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    batches = minibatches(me, t, options_.local.batch, K);
    const Cost descent = gradients_work(me.id(), options_.local.batch, batches, K) + K * vector_work(3, 4);
    co_await me.compute(descent + vector_work(2 * deg + 4, 3 * deg + 5), descend);
    came = co_await me.exchange_each(m);
    co_await me.compute(vector_work(2 * deg, 3 * deg), reflect);
    me.report(t, x);
  }
}

LtAdmm::LtAdmm(const LtAdmmOptions& options, MethodInput input)
    : PeerAlgorithm(std::move(input), LtAdmmOptions::kind, LtAdmmOptions::traits), options_(options) {
  const NetworkFacts& network = given().network;
  if (network.agents < 2)
    throw Diagnosed("kind", "an algorithm for one agent, or a topology with 2 agents or more",
                    std::string(LtAdmmOptions::kind));
  remark_on_batch(options.local.batch);
  const double K = options.local.K(), D = static_cast<double>(network.max_degree);
  beta_ = options.beta.value_or(1 / (4 * options.rho * K * D));
  if (options.step)
    alpha_ = *options.step;
  else if (!given().timing_only)
    alpha_ = 1 / (K * largest_curvature_of_agents("step"));
  if (alpha_ > 0) add_constant("step", alpha_);
  add_constants({{"rho", options.rho}, {"beta", beta_}});
}

std::optional<Bytes> LtAdmm::memory() const {
  const NetworkFacts& network = given().network;
  return *PeerAlgorithm::memory() + Bytes{sizeof(double)} * 2 * network.agents * network.max_degree * d();
}

}  // namespace lagnet
