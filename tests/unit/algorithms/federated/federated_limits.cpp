#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_dual_avg.hpp"
#include "algorithms/federated/fed_mid.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::federated_limits_test {

using namespace lagnet::test;

namespace {

Vector minimizer(const Problem& problem) {
  const Optimum optimum = solve_centrally(problem);
  REQUIRE(optimum.certified());
  return optimum.theta;
}

/// Problems of three clients whose smallest Hessian eigenvalue is above 0.3, and their largest below 4.
std::vector<Bench> benches(Round rounds) {
  return {{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = rounds},
          {.problem = low_rank(80, 2, 3, 0.2), .sizes = {25, 15, 40}, .rounds = rounds}};
}

constexpr double mu = 0.2;

}  // namespace

TEST_CASE("with one local step of all samples the dual averaging methods reach the exact minimizer") {
  const auto errors = [](const Bench& bench, std::size_t t) {
    const Vector best = minimizer(bench.problem);
    return std::vector<double>{(simulate(bench, FedDualAvgOptions{.client_step = 0.2}).w[t] - best).norm(),
                               (simulate(bench, FastFedDaOptions{.mu = mu, .gamma = 5}).w[t] - best).norm(),
                               (simulate(bench, CFedDaOptions{.mu = mu, .gamma = 5}).w[t] - best).norm()};
  };
  const std::vector<Bench> both = benches(1600);
  // With an l1 norm each step contracts by a factor below 1 - mu / L: rounding is left, and that of the optimum.
  for (const double error : errors(both[0], 1600)) CHECK(error < 1e-12);
  // With a nuclear norm turning a singular vector of z becomes harder as z grows like t: the error falls like a power.
  const auto early = errors(both[1], 400), late = errors(both[1], 1600);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(late[k] < 2e-5);
    CHECK(late[k] < early[k] / 4);  // at least like 1 / t
  }
}

TEST_CASE("with several local steps of clients that differ, the error of the fast methods falls like 1/t") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 1600};
  const Vector best = minimizer(bench.problem);
  const auto ratio = [&](const auto& options) {
    const auto w = simulate(bench, options).w;
    CHECK((w[1600] - best).norm() < 0.02);
    return (w[400] - best).norm() / (w[1600] - best).norm();
  };
  FastFedDaOptions fast{.local_steps = 5, .mu = mu, .gamma = 10};
  CFedDaOptions constrained{.local_steps = 5, .mu = mu, .gamma = 2};
  // From T to 4 T it quarters, up to terms that fall faster.
  CHECK(ratio(fast) == Approx(4).epsilon(0.1));
  CHECK(ratio(constrained) == Approx(4).epsilon(0.1));
  FedDualAvgOptions biased{.local_steps = 5, .client_step = 0.02};
  const double bias = (simulate(bench, biased).w.back() - best).norm();
  biased.client_step = 0.01;
  CHECK(bias / (simulate(bench, biased).w.back() - best).norm() == Approx(2).epsilon(0.2));  // linear in eta_c
}

TEST_CASE("mirror descent of one client with one step has the minimizer for twice the regularizer as its limit") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {40}, .rounds = 600};
  Problem twice = bench.problem;
  twice.regularizer = make_regularizer(L1Options{.weight = 0.4});
  FedMidOptions options{.client_step = 0.2};
  // 600 steps contract by (1 - 0.2 * 0.3)^600 = 1e-16.
  CHECK((simulate(bench, options).w.back() - minimizer(twice)).norm() < 1e-12);
  options.server_prox = ServerProx::none;
  CHECK((simulate(bench, options).w.back() - minimizer(bench.problem)).norm() < 1e-12);
}

TEST_CASE("SCAFFOLD reaches the minimizer of clients that differ, by either control variate") {
  Bench bench{.problem = random_problem(40, 4), .sizes = {5, 15, 20}, .rounds = 1500};
  const Vector best = minimizer(bench.problem);
  for (const ControlVariate control : {ControlVariate::local_path, ControlVariate::fresh_gradient}) {
    ScaffoldOptions options{.local_steps = 5, .client_step = 0.03, .control = control};
    CHECK((simulate(bench, options).w.back() - best).norm() < 1e-12);  // rounding of numbers of size 1
  }
}

TEST_CASE("the server's control variate is the weighted mean of the clients', whoever takes part") {
  Bench bench{.problem = random_problem(40, 4), .sizes = {5, 15, 20}, .rounds = 20};
  bench.rules.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 2));
  for (const std::vector<double>& weights : {std::vector<double>{}, {0.5, 0.2, 0.3}}) {
    Scaffold method({.local_steps = 3, .client_step = 0.05, .weights = weights}, bench.assignment());
    const std::vector<double> pi = weights.empty() ? std::vector{5.0 / 40, 15.0 / 40, 20.0 / 40} : weights;
    std::vector<Vector> c_k(4, Vector::Zero(4));
    std::vector<std::vector<Vector>> of_round(21, c_k);
    method.set_probe([&](AgentId k, Round t, const Vector& c) {
      c_k[k] = c;
      of_round[static_cast<std::size_t>(t)] = c_k;
    });
    const Result result = simulate(bench, method);
    for (std::size_t t = 1; t <= 20; ++t) {
      Vector mean = Vector::Zero(4);
      for (AgentId k = 1; k <= 3; ++k) mean += pi[k - 1] * of_round[t][k];
      CHECK((result.parts[t][1] - mean).norm() < 1e-13);  // additions of twenty rounds in another order
      CHECK(mean.norm() > 0.01);
    }
  }
}

TEST_CASE("weights of the clients' own decide what is minimized") {
  // Client 1 w - 2, client 2 2.5 w - 4: with weights 3/4 and 1/4 the minimizer is 2.5 / 1.375.
  Bench bench{.problem = problem_of(Matrix{{1}, {1}, {2}}, Vector{{2, 4, 2}}), .sizes = {1, 2}, .rounds = 400};
  ScaffoldOptions options{.local_steps = 2, .client_step = 0.1, .weights = {0.75, 0.25}};
  const auto method = make_algorithm(options, bench.assignment());
  const Result result = simulate(bench, *method);
  CHECK(result.w.back()[0] == Approx(2.5 / 1.375).epsilon(1e-13));  // at rounding after 400 rounds
  // 3/4 (1 - 2)^2 / 2 + 1/4 ((1 - 4)^2 + (2 - 2)^2) / 4
  const std::vector<std::vector<Vector>> at_one{{scalar(1), scalar(0)}};
  CHECK(method->evaluate(1, at_one, {}).objective == Approx(0.375 + 9.0 / 16).epsilon(1e-15));
  CHECK(method->has_own_objective());
  CHECK_FALSE(make_algorithm(ScaffoldOptions{.client_step = 0.1}, bench.assignment())->has_own_objective());
}

TEST_CASE("lean messages give the iterates of the literal ones, up to rounding") {
  std::vector<Bench> all = benches(40);
  all.push_back({.problem = softmax_lasso(60, 4, 3, 0.02), .sizes = {10, 20, 30}, .rounds = 40});
  for (Bench& bench : all) {
    bench.rules.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 2));
    bench.start = Vector::LinSpaced(bench.problem.dim(), -1, 1);
    const auto same = [&](auto options) {
      const auto literal = simulate(bench, options).w;
      options.messages = Messages::lean;
      const auto lean = simulate(bench, options).w;
      for (std::size_t t = 0; t < literal.size(); ++t)
        CHECK((lean[t] - literal[t]).norm() < 1e-10);  // sums of squares of t + a up to 1e6, over like sums
      CHECK((literal.back() - literal.front()).norm() > 0.1);
    };
    FastFedDaOptions fast{.local_steps = 3, .batch = 4, .mu = mu, .gamma = 60};
    fast.alpha = Alpha::polynomial;
    fast.a = 3;
    same(fast);
    CFedDaOptions constrained{.local_steps = 3, .batch = 4, .mu = mu, .gamma = 10};
    constrained.epsilon = 2;
    same(constrained);
    McFedDaOptions stages{.stages = {{.lambda = 0.4, .rounds = 10, .local_steps = 2, .epsilon = 3.0},
                                     {.lambda = 0.3, .rounds = 1, .local_steps = 3},
                                     {.lambda = 0.2, .rounds = 29, .local_steps = 4}},
                          .mu = mu,
                          .gamma = 10};
    same(stages);
  }
}

TEST_CASE("one stage with the problem's weight is C-FedDA, bit for bit") {
  for (const Bench& bench : benches(30)) {
    CFedDaOptions one{.local_steps = 3, .mu = mu, .gamma = 10};
    McFedDaOptions stages{.stages = {{.lambda = 0.2, .rounds = 30, .local_steps = 3}}, .mu = mu, .gamma = 10};
    CHECK(simulate(bench, one).w == simulate(bench, stages).w);
  }
}

TEST_CASE("a stage starts where the one before has ended, and rounds after the last stage are not run") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 100};
  for (const StagedOutput output : {StagedOutput::average, StagedOutput::last}) {
    McFedDaOptions both{.stages = {{.lambda = 0.4, .rounds = 7}, {.lambda = 0.2, .rounds = 5}},
                        .stage_output = output,
                        .mu = mu,
                        .gamma = 5};
    const Result result = simulate(bench, both);
    REQUIRE(result.w.size() == 13);
    Bench second = bench;
    second.start = result.parts[7][output == StagedOutput::last ? 0 : 1];
    const Result alone =
        simulate(second, McFedDaOptions{.stages = {{.lambda = 0.2, .rounds = 5}}, .mu = mu, .gamma = 5});
    for (std::size_t t = 1; t <= 5; ++t) CHECK(alone.w[t] == result.w[7 + t]);
  }
}

TEST_CASE("a client that has missed the start of a stage is sent it again") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 12};
  bench.rules.round_rule.deadline = Duration::milliseconds(5);
  bench.latencies_ns = {1'000'000, 1'000'000, 4'000'000};  // the answers of the third come too late, always
  McFedDaOptions options{.stages = {{.lambda = 0.4, .rounds = 4}, {.lambda = 0.2, .rounds = 8}}, .mu = mu, .gamma = 5};
  const Result result = simulate(bench, options);
  const Index d = 4;
  CHECK(result.ledger.agent(0).bytes_sent == (12 * 3 * 3 + 2 + 8) * d * 8);
  CHECK(result.ledger.agent(0).late > 0);
}

TEST_CASE("a ball of radius 0 keeps C-FedDA at its start, another one within the radius") {
  for (Bench bench : benches(20)) {
    bench.start = Vector::LinSpaced(bench.problem.dim(), -1, 1);
    CFedDaOptions options{.local_steps = 2, .mu = mu, .gamma = 5};
    options.epsilon = 0;
    for (const Vector& w : simulate(bench, options).w) CHECK(w == bench.start);
    options.epsilon = 0.3;
    const ScaledNorm& norm = *bench.problem.regularizer->as_norm();
    double farthest = 0;
    for (const Vector& w : simulate(bench, options).w) farthest = std::max(farthest, norm.norm(w - bench.start));
    CHECK(farthest == Approx(0.3).epsilon(1e-11));  // the ball binds, to the accuracy of its iterative prox
  }
}

TEST_CASE("iterates keep to the Euclidean ball, from its boundary too") {
  Bench bench{.problem = lasso(40, 4, 0.05), .sizes = {5, 15, 20}, .rounds = 20};
  bench.start = Vector::Constant(4, 0.1);  // of norm 0.2
  const auto kept = [&](const auto& options) {
    double largest = 0;
    for (const Vector& w : simulate(bench, options).w) largest = std::max(largest, w.norm());
    CHECK(largest <= 0.2 * (1 + 1e-14));  // the rounding of a factor
  };
  kept(FedMidOptions{.local_steps = 3, .client_step = 0.2, .rho = 0.2});
  kept(FedDualAvgOptions{.local_steps = 3, .client_step = 0.2, .rho = 0.2});
  FastFedDaOptions fast{.local_steps = 3, .mu = mu, .gamma = 5};
  fast.rho = 0.2;
  kept(fast);
  CFedDaOptions constrained{.local_steps = 3, .mu = mu, .gamma = 5};
  constrained.rho = 0.2;
  constrained.epsilon = 0.3;
  kept(constrained);
}

TEST_CASE("the virtual average of one local step is the average over all rounds, the start left out") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 9};
  FastFedDaOptions options{.mu = mu, .gamma = 5};
  options.alpha = Alpha::polynomial;
  options.a = 2;
  options.output = FastOutput::virtual_average;
  const Result result = simulate(bench, options);
  for (std::size_t t = 1; t <= 9; ++t)
    CHECK((result.parts[t][2] - result.parts[t][1]).norm() < 1e-14);  // sums of nine vectors in another order
  bench.threads = 3;
  CHECK(simulate(bench, options).parts == result.parts);
}

TEST_CASE("one client, one sample, one entry: each method runs, and its model stays finite") {
  Bench bench{.problem = low_rank(1, 1, 1, 0.1), .sizes = {1}, .rounds = 10};
  const auto finite = [&](const auto& options) { CHECK(simulate(bench, options).w.back().allFinite()); };
  finite(ScaffoldOptions{.client_step = 0.1});
  finite(FedMidOptions{.client_step = 0.1});
  finite(FedDualAvgOptions{.client_step = 0.1});
  finite(FastFedDaOptions{.mu = mu, .gamma = 5});
  finite(CFedDaOptions{.mu = mu, .gamma = 5});
}

}  // namespace lagnet::federated_limits_test
