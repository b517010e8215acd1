#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/local/dual_gradient.hpp"
#include "algorithms/local/local_fits.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/peers/accel_tracking.hpp"
#include "algorithms/peers/compressed/beer.hpp"
#include "algorithms/peers/compressed/choco_gossip.hpp"
#include "algorithms/peers/compressed/choco_sgd.hpp"
#include "algorithms/peers/compressed/lead.hpp"
#include "algorithms/peers/decentralized_admm.hpp"
#include "algorithms/peers/dgd.hpp"
#include "algorithms/peers/directed/push_diging.hpp"
#include "algorithms/peers/directed/push_pull.hpp"
#include "algorithms/peers/directed/push_sum.hpp"
#include "algorithms/peers/directed/subgradient_push.hpp"
#include "algorithms/peers/dpag.hpp"
#include "algorithms/peers/extra.hpp"
#include "algorithms/peers/gossip_averaging.hpp"
#include "algorithms/peers/gradient_tracking.hpp"
#include "algorithms/peers/k_gt.hpp"
#include "algorithms/peers/led.hpp"
#include "algorithms/peers/lt_admm.hpp"
#include "algorithms/peers/netlasso.hpp"
#include "algorithms/peers/nids.hpp"
#include "algorithms/peers/optimal/adom_plus.hpp"
#include "algorithms/peers/optimal/opapc.hpp"
#include "algorithms/peers/optimal/ssda.hpp"
#include "algorithms/peers/proximal_gradient.hpp"
#include "algorithms/peers/relay_sgd.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

/// What methods of peers bill for their vectors, held against the operations that their bodies do. The methods are
/// compiled with state vectors that count (counting/sim/base/state_vector.hpp). Beside them a round is billed
/// gradients, proxes and mixings, as often as the table below says; mixings are counted at the end.
namespace lagnet::peer_costs_test {

using namespace lagnet::test;

namespace {

constexpr Index d = 4, rounds = 5;

/// Agents on a ring with 20 samples of 4 features each.
PeerBench bench_of(AgentId agents) {
  PeerBench bench{.problem = normal_regression(20 * agents, d), .rounds = rounds};
  bench.sizes.assign(agents, 20);
  if (agents > 1) bench.edges = ring_edges(agents);
  return bench;
}

/// How often an agent does what: before round 1, and in each round.
struct Often {
  Index at_start = 0, per_round = 0;
  Index in_run() const { return at_start + rounds * per_round; }
};

struct Case {
  std::string name;
  std::function<std::unique_ptr<Algorithm>(const PeerBench&)> make;
  Often gradients = {0, 1};
  Often proxes = {};
  Often mixings = {};
  Index agents = 5;
  Flops other = 0;       // billed in a run by all agents beside these
  bool is_tree = false;  // a path in place of a ring
};

template <class Method, class Options>
auto maker(const Options& options) {
  return [options](const PeerBench& bench) -> std::unique_ptr<Algorithm> {
    return std::make_unique<Method>(options, bench.assignment());
  };
}

/// An agent's system of equations: the factor and X_i'y_i at the start, a solution in each round.
Flops exact_step() {
  const DataMatrix X = bench_of(5).problem.X->row_range(0, 20);
  return RidgeSystem::factor_work(X).flops + 2 * X.nonzeros() + rounds * RidgeSystem::solve_work(X).flops;
}

template <class Options>
Options of_degree_3() {
  Options options;
  options.polynomial.K = 3;
  return options;
}

/// An agent's dual gradients: the factor at the start, and a solution in each round.
Flops dual_gradients() {
  const DataMatrix X = bench_of(5).problem.X->row_range(0, 20);
  const DualGradient dual({.X = X, .y = VectorView(nullptr, 0), .loss = *bench_of(5).problem.loss});
  return dual.factor_work().flops + rounds * dual.solve_work().flops;
}

std::vector<Case> methods() {
  constexpr Often none{0, 0}, once{0, 1}, twice{0, 2}, thrice{1, 3}, and_at_start{1, 1}, thrice_a_round{0, 3};
  const LocalGradientOptions three_steps{.local_steps = 3};
  const GradientTrackingOptions diging{{.step = 0.05}}, combine{{.step = 0.05}, TrackingForm::adapt_then_combine};
  const AccelTrackingOptions accel{{.steps = {.alpha = 20, .beta = 0.2}}};
  return {
      {"dgd", maker<Dgd>(DgdOptions{{.step = 0.1}}), once, once, once},
      {"dgd, momentum, adapt first",
       maker<Dgd>(DgdOptions{{.step = 0.1}, 0, DgdForm::adapt_then_combine, {.momentum = 0.5}}), once, once, once},
      {"extra", maker<Extra>(ExtraOptions{{.step = 0.1}}), once, once, once},
      {"nids", maker<Nids>(NidsOptions{{.step = 0.1}}), and_at_start, and_at_start, once},
      {"nids, momentum", maker<Nids>(NidsOptions{{.step = 0.1}, {.momentum = 0.5}}), and_at_start, and_at_start, once},
      {"netlasso", maker<NetLasso>(NetLassoOptions{{.steps = {.step = 0.1}}}), and_at_start, once, twice},
      {"gradient_tracking, diging", maker<GradientTracking>(diging), and_at_start, none, twice},
      {"gradient_tracking, combine", maker<GradientTracking>(combine), and_at_start, none, twice},
      {"gradient_tracking, adapt first, momentum",
       maker<GradientTracking>(
           GradientTrackingOptions{{.step = 0.05}, TrackingForm::adapt_first, {}, {.momentum = 0.5}}),
       and_at_start, none, twice},
      {"k_gt", maker<KGt>(KGtOptions{{.step = 0.05}, three_steps}), thrice_a_round, none, twice},
      {"led", maker<Led>(LedOptions{{.step = 0.05}, three_steps}), thrice_a_round, none, once},
      {"lt_admm", maker<LtAdmm>(LtAdmmOptions{.step = 0.05, .local = three_steps}), thrice_a_round},
      {"relay_sgd", maker<RelaySgd>(RelaySgdOptions{.step = 0.05}), once, none, none, 5, 0, true},
      {"accel_tracking", maker<AccelTracking>(accel), once, once, twice},
      {"dpag", maker<Dpag>(DpagOptions{{.steps = {.step = 0.05, .beta = 0.2}}}), and_at_start, once, thrice},
      {"proximal_gradient", maker<ProximalGradient>(ProximalGradientOptions{{.step = 0.05}}), once, once, none, 1},
      {"accelerated_proximal_gradient",
       maker<AcceleratedProximalGradient>(AcceleratedProximalGradientOptions{{.alpha = 20, .beta = 0.2}}), once, once,
       none, 1},
      // Each of 5 agents adds up the vectors of 2 neighbors, which count 2 d.
      {"decentralized_admm", maker<DecentralizedAdmm>(DecentralizedAdmmOptions{.penalty = 1, .damping = 4}), once, none,
       none, 5, rounds * 5 * 2 * d},
      {"decentralized_admm, exact",
       maker<DecentralizedAdmm>(DecentralizedAdmmOptions{.penalty = 1, .local_step = LocalStep::exact}), none, none,
       none, 5, rounds * 5 * 2 * d + 5 * exact_step()},
      // The vectors of 2 neighbors are added up, by one addition, before they are added to what an agent has kept.
      {"push_sum", maker<PushSum>(PushSumOptions{}), none, none, none, 5, rounds * 5 * (d + 1)},
      {"subgradient_push", maker<SubgradientPush>(SubgradientPushOptions{.step = 0.1}), once, none, none, 5,
       rounds * 5 * (d + 1)},
      {"push_diging", maker<PushDiging>(PushDigingOptions{.step = 0.05}), and_at_start, none, none, 5,
       rounds * 5 * (2 * d + 1)},
      {"push_pull", maker<PushPull>(PushPullOptions{.step = 0.05}), and_at_start, none, none, 5, rounds * 5 * 2 * d},
      {"push_pull, combine_then_adapt",
       maker<PushPull>(PushPullOptions{.step = 0.05, .form = PushPullForm::combine_then_adapt}), and_at_start, none,
       none, 5, rounds * 5 * 2 * d},
      {"ssda", maker<Ssda>(SsdaOptions{}), none, none, once, 5, 5 * dual_gradients()},
      // Of K exchanges K - 1 are billed d more than they take.
      {"msda", maker<Ssda>(of_degree_3<MsdaOptions>()), none, none, thrice_a_round, 5,
       5 * dual_gradients() + rounds * 5 * 2 * d},
      {"apapc", maker<Opapc>(ApapcOptions{}), once, none, once},
      {"opapc", maker<Opapc>(of_degree_3<OpapcOptions>()), once, none, thrice_a_round, 5, rounds * 5 * 2 * d},
      // Two mixings, of which W_t's 3 flops an entry are in the body.
      {"adom_plus", maker<AdomPlus>(AdomPlusOptions{}), once, none, {0, 2}, 5, -rounds * 5 * 2 * 3 * d}};
}

/// Methods with compressed differences that keep all entries, whose mixings are those of whole vectors; compressions
/// are billed beside them.
std::vector<Case> compressed_methods() {
  constexpr Often none{0, 0}, once{0, 1}, twice{0, 2}, and_at_start{1, 1};
  constexpr Flops compressions = rounds * 5 * (3 * d + 1);
  const ScaledSignOptions sign;
  return {{"choco_gossip", maker<ChocoGossip>(ChocoGossipOptions{.gamma = 0.3, .compressor = sign}), none, none, once,
           5, compressions},
          {"choco_sgd", maker<ChocoSgd>(ChocoSgdOptions{.step = 0.1, .gamma = 0.3, .compressor = sign}), once, none,
           once, 5, compressions},
          {"lead", maker<Lead>(LeadOptions{.step = 0.1, .compressor = sign}), and_at_start, and_at_start, once, 5,
           compressions},
          {"beer", maker<Beer>(BeerOptions{.step = 0.1, .gamma = 0.3, .compressor = sign}), and_at_start, none, twice,
           5, 2 * compressions}};
}

}  // namespace

namespace {

void check_case(const Case& one) {
  CAPTURE(one.name);
  PeerBench bench = bench_of(static_cast<AgentId>(one.agents));
  if (one.is_tree) bench.edges.pop_back();
  if (one.proxes.in_run() > 0) bench.problem.regularizer = make_regularizer(L1Options{.weight = 0.01});
  const auto method = one.make(bench);
  const Flops gradient = 4 * 20 * d, prox = bench.problem.regularizer->prox_flops(d) * (one.proxes.in_run() > 0);
  const Flops mixing = (2 * 2 + 1) * d;  // of two neighbors and oneself
  counting::flops = 0;
  const PeerResult result = simulate(bench, *method);
  const Flops counted = counting::flops;
  const Flops beside =
      one.agents * (one.gradients.in_run() * gradient + one.proxes.in_run() * prox + one.mixings.in_run() * mixing) +
      one.other;
  CHECK(counted > 0);
  CHECK(result.ledger.total().flops - beside == counted);
}

}  // namespace

TEST_CASE("the flops that peers bill for their vectors are those that their bodies do") {
  for (const Case& one : methods()) check_case(one);
}

TEST_CASE("the flops that peers with compressed differences bill for their vectors are those that their bodies do") {
  for (const Case& one : compressed_methods()) check_case(one);
}

namespace {

/// x_i <- w_ii x_i + sum w_ik x_k, product by product.
Task<> gossip(Agent& me, const GossipRow& w) {
  StateVector x = me.vector(d), mixed = x;
  std::vector<Message> came;
  for (Round t = 1; t <= rounds; ++t) {
    came = co_await me.exchange(x);
    mixed = w.own * x;
    for (std::size_t k = 0; k < came.size(); ++k) mixed += w.neighbors[k] * came[k].body.view();
    x = mixed;
  }
}

}  // namespace

TEST_CASE("the flops that a mixing bills are those of its products and sums") {
  const PeerBench bench = bench_of(5);
  const MethodInput given = bench.assignment();
  const Flops billed = simulate(bench, GossipAveraging({}, given)).ledger.total().flops;
  Simulation world = bench.world();
  for (AgentId i = 0; i < 5; ++i) world.spawn(i, gossip(world.agent(i), given.network.gossip[i]));
  counting::flops = 0;
  world.run();
  CHECK(counting::flops == 5 * rounds * (2 * 2 + 1) * d);
  CHECK(billed == counting::flops);
}

}  // namespace lagnet::peer_costs_test
