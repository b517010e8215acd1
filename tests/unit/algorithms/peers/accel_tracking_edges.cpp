#include <cmath>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "algorithms/peers/accel_tracking.hpp"
#include "algorithms/peers/dpag.hpp"
#include "algorithms/peers/extra.hpp"
#include "algorithms/peers/netlasso.hpp"
#include "algorithms/peers/proximal_gradient.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

/// Edge cases of accelerated tracking and its baselines: matrices, one agent, zeros; and their iterates written down
/// for all agents at once.
namespace lagnet::accel_tracking_edges_test {

using namespace lagnet::test;

namespace {

constexpr CurvatureOptions constants{.mu = 0.2, .L = 2};

PeerBench path_bench(Round rounds, double R = 1.5) {
  PeerBench bench{
      .problem = normal_regression(24, 10), .sizes = {10, 6, 8}, .edges = {{0, 1}, {1, 2}}, .rounds = rounds};
  bench.problem.constraint = make_constraint(L1BallOptions{.radius = R}, IterateShape::vector(10));
  return bench;
}

/// Entries of a 3 x 3 matrix of rank 1, each agent seeing some of them, scaled so that the mean Hessian is about I.
PeerBench completion_bench(Round rounds) {
  const Index p = 3;
  PeerBench bench{.problem = normal_regression(20, p * p), .sizes = {5, 5, 5, 5}, .rounds = rounds};
  bench.edges = ring_edges(4);
  Matrix X = Matrix::Zero(20, p * p);
  for (Index k = 0; k < 20; ++k) {
    const Index entry = (4 * k + k * k / 5) % (p * p);
    X(k, entry) = static_cast<double>(p);
    bench.problem.y[k] = static_cast<double>(p) * std::sin(1.0 + static_cast<double>(entry / p)) *
                         std::cos(static_cast<double>(entry % p));
  }
  bench.problem.X = std::make_shared<const DataMatrix>(X);
  bench.problem.shape = IterateShape::matrix(p, p);
  return bench;
}

/// Softmax regression of 3 classes on 4 features.
PeerBench softmax_bench(std::vector<Index> sizes, Round rounds) {
  PeerBench bench{.problem = normal_regression(24, 4), .sizes = std::move(sizes), .rounds = rounds};
  bench.edges = complete_edges(static_cast<AgentId>(bench.sizes.size()));
  bench.problem.y = Vector::NullaryExpr(24, [](Index i) { return static_cast<double>(i * i % 3); });
  bench.problem.loss = make_loss(SoftmaxOptions{.classes = 3}, bench.problem.y);
  bench.problem.shape = IterateShape::matrix(4, 3);
  return bench;
}

void check_rows(const PeerResult& result, std::size_t t, const Matrix& expected) {
  CHECK(distance(result, t, expected) <= 1e-12);  // some hundred roundings of numbers of the size of 1
}

}  // namespace

TEST_CASE("NetLASSO and DPAG are their stacked recursions, whose trackers have the mean of the gradients") {
  const PeerBench bench = path_bench(12);
  const Constraint& set = *bench.problem.constraint;
  const Matrix W = bench.W() * bench.W() * bench.W();  // K = 3
  const double s = 0.15, beta = 0.3, q = (1 - beta) / (1 + beta);
  const auto same_mean = [](const Matrix& a, const Matrix& b) {
    CHECK((a.colwise().mean() - b.colwise().mean()).norm() <= 1e-12);  // as below
  };

  const NetLasso lasso({{.steps = {.step = s}, .mixing = {.rounds = 3}}}, bench.assignment());
  const PeerResult of_lasso = simulate(bench, lasso);
  Matrix theta = Matrix::Zero(3, 10), g = gradients(lasso, theta), y = g;
  for (std::size_t t = 1; t <= 12; ++t) {
    theta = W * projected(set, theta - s * y);
    const Matrix h = gradients(lasso, theta);
    y = W * (y + h - g);
    g = h;
    check_rows(of_lasso, t, theta);
    same_mean(y, g);
    for (AgentId i = 0; i < 3; ++i) CHECK(set.excess(of_lasso.theta(t, i)) <= 1e-14);  // mixed from feasible points
  }

  const Dpag dpag({{.steps = {.step = s, .beta = beta}, .mixing = {.rounds = 3}}}, bench.assignment());
  const PeerResult of_dpag = simulate(bench, dpag);
  Matrix x = Matrix::Zero(3, 10), u = x;
  g = gradients(dpag, u);
  Matrix S = W * g;
  for (std::size_t t = 1; t <= 12; ++t) {
    const Matrix x_new = W * projected(set, u - s * S);
    u = W * (x_new + q * (x_new - x));
    x = x_new;
    const Matrix h = gradients(dpag, u);
    S = W * (S + h - g);
    g = h;
    check_rows(of_dpag, t, x);
    same_mean(S, g);
    for (AgentId i = 0; i < 3; ++i) CHECK(set.excess(of_dpag.theta(t, i)) <= 1e-14);  // u may be outside, x not
  }
}

TEST_CASE("one agent mixes nothing for any K, and computes as the central methods") {
  PeerBench bench = path_bench(40);
  bench.sizes = {24};
  bench.edges = {};
  const auto same = [&](const Algorithm& spread, const Algorithm& central) {
    const PeerResult one = simulate(bench, spread), other = simulate(bench, central);
    CHECK(one.ledger.total().messages_sent == 0);
    for (const std::size_t t : {1u, 7u, 40u})
      CHECK((one.theta(t, 0) - other.theta(t, 0)).norm() <= 1e-13);  // y + h - g rounds where h does not
  };
  const MixingOptions mixing{.rounds = 5};
  same(AccelTracking({{.steps = {.curvature = constants}, .mixing = mixing}}, bench.assignment()),
       AcceleratedProximalGradient({{.curvature = constants}}, bench.assignment()));
  same(NetLasso({{.steps = {.step = 0.2}, .mixing = mixing}}, bench.assignment()),
       ProximalGradient({{.step = 0.2}}, bench.assignment()));
  // beta = 1 leaves no momentum: q = 0, and every iterate is a new v.
  same(Dpag({{.steps = {.step = 0.2, .beta = 1}, .mixing = mixing}}, bench.assignment()),
       ProximalGradient({{.step = 0.2}}, bench.assignment()));
  same(AccelTracking({{.steps = {.alpha = 5, .beta = 1}, .mixing = mixing}}, bench.assignment()),
       AcceleratedProximalGradient({{.alpha = 5, .beta = 1}}, bench.assignment()));
}

TEST_CASE("with W = 11'/m every agent of DPAG computes as one agent with all samples") {
  PeerBench bench = path_bench(50), alone = path_bench(50);
  bench.sizes = {8, 8, 8};
  bench.edges = complete_edges(3);
  bench.lazy = false;  // Metropolis weights of a complete graph are 1/m
  alone.sizes = {24};
  alone.edges = {};
  const DpagOptions options{{.steps = {.step = 0.2, .beta = 0.3}}};
  const PeerResult many = simulate(bench, Dpag(options, bench.assignment()));
  const PeerResult one = simulate(alone, Dpag(options, alone.assignment()));
  for (std::size_t t = 1; t <= 50; ++t)
    for (AgentId i = 0; i < 3; ++i)
      CHECK((many.theta(t, i) - one.theta(t, 0)).norm() <= 1e-13);  // sums in other orders
}

TEST_CASE("with a nuclear ball and a box all points of accelerated tracking are in both, and the gradients tracked") {
  PeerBench bench = completion_bench(25);
  const NuclearBallAndBoxOptions both{.radius = 0.6, .bound = 0.35};
  bench.problem.constraint = make_constraint(both, bench.problem.shape);
  const AccelTracking method({{.steps = {.curvature = {.mu = 1, .L = 1}}, .mixing = {.rounds = 2}}},
                             bench.assignment());
  const PeerResult result = simulate(bench, method);
  const std::vector<StackedTracking> states = stacked_tracking(bench, method, 2);
  double largest = -1;
  for (std::size_t t = 1; t <= 25; ++t) {
    const StackedTracking& at = states[t];
    CHECK(distance(result, t, at.theta) <= 1e-11);  // Dykstra stops at steps of 1e-13
    for (const Matrix* points : {&at.w, &at.z, &at.v, &at.theta})
      for (Index i = 0; i < 4; ++i) {
        const double excess = bench.problem.constraint->excess(Vector(points->row(i)));
        largest = std::max(largest, excess);
        CHECK(excess <= 1e-11);  // as above
      }
    // As many sums of numbers of the size of 1.
    CHECK((at.y - at.g).colwise().sum().norm() <= 1e-13 * static_cast<double>(t));
  }
  CHECK(largest > -1e-3);  // the sets bind
}

TEST_CASE("a round's flops, bytes and messages are the sheet's with a nuclear ball, in as many exchanges as it says") {
  PeerBench bench = completion_bench(5);
  bench.problem.constraint = make_constraint(NuclearBallOptions{.radius = 0.6}, bench.problem.shape);
  const Index d = 9, n = 5, degree = 2, edges = 4, P = 20 * 27;
  for (const Index K : {1, 2, 5}) {
    const MixingOptions mixing{.rounds = K};
    const auto check = [&](const Algorithm& algorithm, Index of_vectors, Index mixings, Index at_start) {
      const PeerResult result = simulate(bench, algorithm);
      for (AgentId i = 0; i < 4; ++i)
        for (std::size_t t = 2; t <= 5; ++t) {
          const AgentAccount &now = result.accounts[t][i], &before = result.accounts[t - 1][i];
          CHECK(now.flops - before.flops == 4 * n * d + of_vectors * d + mixings * K * (2 * degree + 1) * d + P);
          CHECK(now.bytes_sent - before.bytes_sent == 8 * mixings * K * d * degree);
          CHECK(now.messages_sent - before.messages_sent == mixings * K * degree);
        }
      // Two directions of each edge; as many exchanges one after the other.
      CHECK(result.ledger.total().messages_sent == (5 * mixings + at_start) * K * 2 * edges);
      CHECK(result.ledger.total().hops == (5 * mixings + at_start) * K);
    };
    check(AccelTracking({{.steps = {.curvature = constants}, .mixing = mixing}}, bench.assignment()), 13, 2, 0);
    check(NetLasso({{.steps = {.step = 0.1}, .mixing = mixing}}, bench.assignment()), 4, 2, 0);
    check(Dpag({{.steps = {.step = 0.1, .beta = 0.3}, .mixing = mixing}}, bench.assignment()), 7, 3, 1);
  }
}

TEST_CASE("a regularizer's prox bills its flops, even a nuclear norm's") {
  PeerBench bench = completion_bench(2);
  const auto flops = [&] {
    return simulate(bench, NetLasso({{.steps = {.step = 0.1}}}, bench.assignment())).ledger.agent(0).flops;
  };
  const Flops plain = flops();
  bench.problem.regularizer = make_regularizer(L1Options{.weight = 0.1});
  CHECK(flops() == plain + 2 * 3 * 9);
  bench.problem.regularizer = make_regularizer(NuclearOptions{.weight = 0.1}, bench.problem.shape);
  CHECK(flops() == plain + 2 * (14 + 8 + 2) * 27);
}

TEST_CASE("the constants follow from L and mu where they are not given: alpha is 2 L, a step 1/(2 L)") {
  const PeerBench bench = path_bench(1);
  const auto constant = [](const Algorithm& method, const std::string& name) {
    for (const auto& [key, value] : method.constants())
      if (key == name) return value;
    return std::nan("");
  };
  const AccelTracking tracking({{.steps = {.curvature = constants}}}, bench.assignment());
  CHECK(constant(tracking, "alpha") == 4);
  CHECK(constant(tracking, "beta") == std::sqrt(0.2 / 16));
  CHECK(constant(NetLasso({{.steps = {.L = 2}}}, bench.assignment()), "step") == 0.25);
  const Dpag dpag({{.steps = {.curvature = constants}}}, bench.assignment());
  CHECK(constant(dpag, "step") == 0.25);
  CHECK(constant(dpag, "beta") == std::sqrt(0.2 / 16));
}

TEST_CASE("a column of zeros keeps its coefficient at 0, and a radius of 0 keeps all") {
  for (const double R : {1.5, 0.0}) {
    PeerBench bench = path_bench(30, R);
    Matrix X = bench.problem.X->dense();
    X.col(3).setZero();
    bench.problem.X = std::make_shared<const DataMatrix>(X);
    const auto check = [&](const Algorithm& algorithm) {
      const PeerResult result = simulate(bench, algorithm);
      for (std::size_t t = 0; t <= 30; ++t)
        for (AgentId i = 0; i < 3; ++i) {
          CHECK(result.theta(t, i)[3] == 0);
          if (R == 0) CHECK(result.theta(t, i) == Vector::Zero(10));
        }
      if (R > 0) CHECK(result.theta(30, 0).norm() > 0.1);
    };
    check(AccelTracking({{.steps = {.curvature = constants}, .mixing = {.rounds = 2}}}, bench.assignment()));
    check(NetLasso({{.steps = {.step = 0.1}, .mixing = {.rounds = 2}}}, bench.assignment()));
    check(Dpag({{.steps = {.step = 0.1, .beta = 0.3}, .mixing = {.rounds = 2}}}, bench.assignment()));
  }
}

TEST_CASE("with a loss of several scores a sample the iterates are matrices, which reach the central optimum") {
  PeerBench bench = softmax_bench({8, 8, 8}, 4000);
  bench.problem.constraint = make_constraint(L1BallOptions{.radius = 2}, bench.problem.shape);
  const Optimum optimum = solve_centrally(bench.problem);
  REQUIRE(optimum.certified());
  ErrorScale error_scale{.initial = bench.problem.objective(Vector::Zero(12)), .optimum = optimum.value};
  const auto check = [&](const Algorithm& algorithm) {
    const PeerResult result = simulate(bench, algorithm);
    const Evaluation last = algorithm.evaluate(4000, result.reports.back(), error_scale);
    CHECK(last.iterate.size() == 12);
    CHECK(std::abs(*error_scale.relative_error(last.objective)) < 1e-8);  // the optimum's certificate
    CHECK(*last.metrics[2] < 1e-8);                                       // agents agree: its square is rounding
  };
  check(AccelTracking({{.steps = {.curvature = {.mu = 0.1, .L = 2}}, .mixing = {.rounds = 4}}}, bench.assignment()));
  check(NetLasso({{.steps = {.step = 0.2}, .mixing = {.rounds = 4}}}, bench.assignment()));
  check(Dpag({{.steps = {.step = 0.2, .beta = 0.3}, .mixing = {.rounds = 6}}}, bench.assignment()));
  check(Extra({{.step = 0.2}}, bench.assignment()));
}

TEST_CASE("a matrix of scores costs its products at each agent, and F may weigh the agents alike") {
  PeerBench bench = softmax_bench({4, 8, 12}, 3);
  MethodInput given = bench.assignment();
  given.agent_weights = AgentWeights::even;
  const NetLasso method({{.steps = {.step = 0.2}}}, given);
  const PeerResult result = simulate(bench, method);
  const Index d = 12, degree = 2;
  for (AgentId i = 0; i < 3; ++i) {
    const AgentAccount &now = result.accounts[3][i], &before = result.accounts[2][i];
    CHECK(now.flops - before.flops == 4 * bench.sizes[i] * d + 4 * d + 2 * (2 * degree + 1) * d);
    CHECK(now.bytes_sent - before.bytes_sent == 8 * 2 * d * degree);
  }
  // The mean of the agents' means, each by a problem of its own.
  const Vector theta = Vector::LinSpaced(12, -1, 1);
  double sum = 0;
  for (const auto& [first, n] : {std::pair<Index, Index>(0, 4), {4, 8}, {12, 12}}) {
    Problem own = bench.problem;
    own.X = std::make_shared<const DataMatrix>(Matrix(bench.problem.X->dense().middleRows(first, n)));
    own.y = bench.problem.y.segment(first, n);
    own.samples = n;
    sum += own.objective(theta) / 3;
  }
  CHECK(method.objective(theta) == Approx(sum).epsilon(1e-14));  // 24 terms in another order
}

}  // namespace lagnet::accel_tracking_edges_test
