#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_dual_avg.hpp"
#include "algorithms/federated/fed_mid.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

/// Edge cases of the federated composite methods, and invariants between them.
namespace lagnet::federated_edges_test {

using namespace lagnet::test;

namespace {

constexpr double mu = 0.2;

/// One client with one sample x = 1, y = 2 and r(w) = |w| / 2.
Bench one_sample(Round rounds) {
  Bench bench{.problem = problem_of(Matrix{{1}}, Vector{{2}}), .sizes = {1}, .rounds = rounds};
  bench.problem.regularizer = make_regularizer(L1Options{.weight = 0.5});
  return bench;
}

/// Every composite method, with steps that suit data of this size.
template <class Use>
void with_each(Use use) {
  use(FedMidOptions{.local_steps = 2, .client_step = 0.1});
  use(FedDualAvgOptions{.local_steps = 2, .client_step = 0.1});
  use(FastFedDaOptions{.local_steps = 2, .mu = mu, .gamma = 10});
  use(CFedDaOptions{.local_steps = 2, .mu = mu, .gamma = 5});
  use(McFedDaOptions{
      .stages = {{.lambda = 0.2, .rounds = 3, .local_steps = 2}, {.lambda = 0.1, .rounds = 9}}, .mu = mu, .gamma = 5});
}

/// Client 3 alone is asked in rounds 1, 3 and 6, and its answers come too late.
Bench lost_rounds(Problem problem, Round rounds) {
  Bench bench{.problem = std::move(problem), .sizes = {5, 15, 20}, .rounds = rounds};
  bench.rules.round_rule.deadline = Duration::milliseconds(5);
  bench.latencies_ns = {1'000'000, 1'000'000, 4'000'000};
  bench.rules.participation = std::make_shared<const ListedParticipation>(
      std::vector<std::vector<AgentId>>{{3}, {1, 2}, {3}, {2}, {1, 2}, {3}, {1}, {1, 2}});
  return bench;
}

}  // namespace

TEST_CASE("two rounds of FedDA are as by hand, the first local step of all without a threshold") {
  // Thresholds are eta / 2. Round 0: x = 0, z = 0.2; x = 0.15, z = 0.385; w = 0.385 - 0.1.
  // Round 1: x = 0.285, z = 0.5565; x = 0.5565 - 0.15, z = 0.71585; w = 0.71585 - 0.2.
  const auto w = simulate(one_sample(2), FedDualAvgOptions{.local_steps = 2, .client_step = 0.1}).w;
  CHECK(w[1][0] == Approx(0.285).epsilon(1e-15));
  CHECK(w[2][0] == Approx(0.51585).epsilon(1e-15));
}

TEST_CASE("two rounds of Fast-FedDA and C-FedDA are as by hand, with weights (t + 1)^2 and a start that is not 0") {
  // mu = 1, gamma = 2, w_0 = 1: gradients x - 2, thresholds A_t / (2 B_t), B_t = A_t / 2 + 2.
  Bench bench = one_sample(2);
  bench.start = scalar(1);
  FastFedDaOptions fast{.mu = 1, .gamma = 2};
  fast.alpha = Alpha::polynomial;
  fast.a = 1;
  CFedDaOptions constrained{.mu = 1, .gamma = 2};
  constrained.alpha = Alpha::polynomial;
  constrained.a = 1;
  // g = -1, s = 1: w_1 = (2 + 1 + 0.5 - 0.5) / 2.5 = 1.2. g = -1 - 4 * 0.8, s = 1 + 4.8: (2 + 4.2 + 2.9 - 2.5) / 4.5.
  for (const auto& w : {simulate(bench, fast).w, simulate(bench, constrained).w}) {
    CHECK(w[1][0] == Approx(1.2).epsilon(1e-15));
    CHECK(w[2][0] == Approx(6.6 / 4.5).epsilon(1e-15));
  }
  // With E = 2 local steps. Fast: the middle iterate is 1.2 again, the server's (2 + 4.2 + 2.9 - 2.5) / 4.5.
  fast.local_steps = constrained.local_steps = 2;
  CHECK(simulate(bench, fast).w[1][0] == Approx(6.6 / 4.5).epsilon(1e-15));
  // C: g = -1, middle (4 + 1 + 1 - 1) / 5 = 1, since E stands with gamma, mu, the threshold and s; then g = -2:
  // (4 + 2 + 1 - 1) / 5 = 1.2.
  CHECK(simulate(bench, constrained).w[1][0] == Approx(1.2).epsilon(1e-15));
}

TEST_CASE("without a regularizer mirror descent and dual averaging are federated averaging, bit for bit") {
  for (const Index batch : {3, 100}) {
    Bench bench{.problem = lasso(40, 4, 0), .sizes = {5, 15, 20}, .rounds = 12};
    bench.rules.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 1));  // one of three
    bench.start = Vector::LinSpaced(4, -1, 1);
    const auto averaged = simulate(bench, FedAvgOptions{.local_steps = 3, .batch = batch, .client_step = 0.1}).w;
    for (const ServerProx form : {ServerProx::steps, ServerProx::single, ServerProx::none}) {
      const FedMidOptions mid{.local_steps = 3, .batch = batch, .client_step = 0.1, .server_prox = form};
      CHECK(simulate(bench, mid).w == averaged);
    }
    // It sums up z, not w: the same numbers, added up in the same order.
    const FedDualAvgOptions dual{.local_steps = 3, .batch = batch, .client_step = 0.1};
    CHECK(simulate(bench, dual).w == averaged);
    Bench alone = bench;
    alone.sizes = {40};
    const auto plain = simulate(alone, FedAvgOptions{.local_steps = 3, .batch = batch, .client_step = 0.1}).w;
    const auto controlled = simulate(alone, ScaffoldOptions{.local_steps = 3, .batch = batch, .client_step = 0.1}).w;
    // Of one client c and c_k are the same but for rounding.
    CHECK((plain.back() - controlled.back()).norm() <= 1e-14);
  }
}

TEST_CASE("mirror descent of one client has a limit for 2 lambda, or (1 + 1/E) lambda, up to its step") {
  const Index E = 4;
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {40}, .rounds = 4000};
  const auto distance = [&](ServerProx form, double eta, double times) {
    Problem counted = bench.problem;
    counted.regularizer = make_regularizer(L1Options{.weight = 0.2 * times});
    const Optimum best = solve_centrally(counted);
    REQUIRE(best.certified());
    const FedMidOptions options{.local_steps = E, .client_step = eta, .server_prox = form};
    return (simulate(bench, options).w.back() - best.theta).norm();
  };
  for (const auto& [form, times] : {std::pair(ServerProx::steps, 2.0), {ServerProx::single, 1.25}}) {
    // 16000 steps of 0.01 contract by far more than 1e-12; what is left is the bias, linear in the step.
    const double far = distance(form, 0.02, times), near = distance(form, 0.01, times);
    CHECK(far / near == Approx(2).epsilon(0.1));
    CHECK(near < distance(form, 0.01, times == 2 ? 1.25 : 2.0) / 10);
  }
  bench.rounds = 5;
  const auto iterates = [&](ServerProx form) {
    return simulate(bench, FedMidOptions{.local_steps = 1, .client_step = 0.1, .server_prox = form}).w;
  };
  CHECK(iterates(ServerProx::steps) == iterates(ServerProx::single));  // with E = 1
}

TEST_CASE("a large weight makes every model exactly zero, matrices of either shape too") {
  for (const Problem& problem : {lasso(40, 6, 100), low_rank(40, 3, 2, 100), low_rank(40, 2, 3, 100)}) {
    const Bench bench{.problem = problem, .sizes = {5, 15, 20}, .rounds = 12};
    with_each([&](auto options) {
      if constexpr (requires { options.stages; })
        for (McFedDaStageOptions& stage : options.stages) stage.lambda = 100;
      CHECK(simulate(bench, options).w.back() == Vector::Zero(6));
    });
  }
}

TEST_CASE("one participant a round, minibatches larger than a client's samples, and stages of one round") {
  for (const Problem& problem : {lasso(40, 6, 0.1), low_rank(40, 3, 2, 0.1), low_rank(40, 2, 3, 0.1)}) {
    Bench bench{.problem = problem, .sizes = {2, 18, 20}, .rounds = 12};
    bench.rules.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 1));
    with_each([&](auto options) {
      const auto all = simulate(bench, options).w;
      CHECK(all.back().allFinite());
      options.batch = 20;
      CHECK(simulate(bench, options).w == all);
      options.batch = 2;
      CHECK(simulate(bench, options).w != all);
    });
  }
}

TEST_CASE("a ball that is far too small keeps the iterates next to the start") {
  for (const Problem& problem : {lasso(40, 6, 0.1), low_rank(40, 2, 3, 0.1)}) {
    Bench bench{.problem = problem, .sizes = {5, 15, 20}, .rounds = 6};
    bench.start = Vector::LinSpaced(6, -1, 1);
    CFedDaOptions options{.local_steps = 2, .mu = mu, .gamma = 5};
    options.epsilon = 1e-14;
    // The norm is at least the Euclidean one; the iterative prox of a nuclear norm is within 1e-13 (1 + |w|) of it.
    for (const Vector& w : simulate(bench, options).w) CHECK((w - bench.start).norm() <= 1e-12);
  }
}

TEST_CASE("lean messages give the iterates of the literal ones where nobody answers in some rounds") {
  for (const Problem& problem : {lasso(40, 4, 0.2), low_rank(40, 2, 3, 0.2)}) {
    Bench bench = lost_rounds(problem, 24);
    bench.start = Vector::LinSpaced(problem.dim(), -1, 1);
    const auto same = [&](auto options) {
      const auto literal = simulate(bench, options).w;
      CHECK(literal[1] == literal[0]);
      CHECK(literal[3] == literal[2]);
      CHECK(literal[4] != literal[3]);
      options.messages = Messages::lean;
      const auto lean = simulate(bench, options).w;
      for (std::size_t t = 0; t < literal.size(); ++t)
        CHECK((lean[t] - literal[t]).norm() < 1e-11);  // sums of squares of t + a up to 1e4, over like sums
    };
    FastFedDaOptions fast{.local_steps = 3, .mu = mu, .gamma = 60};
    fast.alpha = Alpha::polynomial;
    fast.a = 3;
    same(fast);
    CFedDaOptions constrained{.local_steps = 3, .mu = mu, .gamma = 30};
    constrained.alpha = Alpha::polynomial;
    constrained.a = 2;
    same(constrained);
    // The second stage starts with a round without answers.
    same(McFedDaOptions{
        .stages = {{.lambda = 0.4, .rounds = 8, .local_steps = 2}, {.lambda = 0.2, .rounds = 16, .local_steps = 3}},
        .mu = mu,
        .gamma = 10});
  }
}

TEST_CASE("answers of clients that all have the weight 0 have no mean, and leave the server as it is") {
  Bench bench{.problem = lasso(40, 4, 0.05), .sizes = {5, 15, 10, 10}, .rounds = 30};
  bench.rules.participation =
      std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1, 2}, {3, 4}, {2, 3}});
  const std::vector<double> weights{0.5, 0.5, 0, 0};
  const auto kept = [&](auto options) {
    options.weights = weights;
    const auto method = make_algorithm(options, bench.assignment());
    const auto w = simulate(bench, *method).w;
    CHECK(w[2] == w[1]);
    // What had been summed up is still there.
    const auto objective = [&](const Vector& at) {
      return method->evaluate(0, std::vector<std::vector<Vector>>{{at, at}}, {}).objective;
    };
    CHECK(objective(w.back()) < objective(w[1]));
  };
  for (const Messages messages : {Messages::literal, Messages::lean}) {
    FastFedDaOptions fast{.local_steps = 2, .mu = mu, .gamma = 10};
    fast.messages = messages;
    kept(fast);
    CFedDaOptions constrained{.local_steps = 2, .mu = mu, .gamma = 5};
    constrained.messages = messages;
    kept(constrained);
  }
  kept(FedAvgOptions{.local_steps = 2, .client_step = 0.1});
  kept(ScaffoldOptions{.local_steps = 2, .client_step = 0.1});
}

TEST_CASE("the sum of polynomial weights has its closed form, and no integer that overflows") {
  const AveragingWeights squares(Alpha::polynomial, 3.5), ones(Alpha::constant, {});
  double sum = 0;
  for (Round t = 0; t <= 200; ++t) {
    sum += (static_cast<double>(t) + 3.5) * (static_cast<double>(t) + 3.5);
    CHECK(squares.A(t) == Approx(sum).epsilon(1e-13));  // two hundred additions
    CHECK(ones.A(t) == static_cast<double>(t + 1));
  }
  CHECK(squares.A(Round{1} << 60) == Approx(std::pow(2.0, 180) / 3).epsilon(1e-12));  // t^3 / 3
}

TEST_CASE("a start outside of the Euclidean ball is refused, one on its boundary is not") {
  Bench bench{.problem = lasso(40, 4, 0.05), .sizes = {40}, .rounds = 1};
  bench.start = Vector::Constant(4, 1);  // of norm 2
  with_each([&](auto options) {
    options.rho = 1.5;
    CHECK_THROWS_WITH(make_algorithm(options, bench.assignment()),
                      "rho: expected at least 2, the norm of the start, found 1.5");
    options.rho = 2;
    CHECK_NOTHROW(make_algorithm(options, bench.assignment()));
  });
}

// Of sqrt(3) = 1.7320508075688772, 1.73205080756 is 5.2e-12 too small, and 1.73205080755 1.1e-11.
TEST_CASE("a start is on the boundary of a ball whose radius is its norm to 12 digits") {
  Bench bench{.problem = lasso(40, 3, 0.05), .sizes = {40}, .rounds = 1};
  bench.start = Vector::Constant(3, 1);
  with_each([&](auto options) {
    options.rho = 1.73205080756;
    CHECK_NOTHROW(make_algorithm(options, bench.assignment()));
    options.rho = 1.73205080755;
    CHECK_THROWS_WITH(make_algorithm(options, bench.assignment()),
                      "rho: expected at least 1.73205080757, the norm of the start, found 1.73205080755");
  });
}

}  // namespace lagnet::federated_edges_test
