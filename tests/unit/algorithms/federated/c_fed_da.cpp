#include "algorithms/federated/c_fed_da.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::c_fed_da_test {

using namespace lagnet::test;

namespace {

constexpr double mu = 0.2;

}  // namespace

TEST_CASE("a ball of radius 0 keeps C-FedDA at its start, another one within the radius") {
  for (Bench bench : benches(20)) {
    bench.start = Vector::LinSpaced(bench.problem.dim(), -1, 1);
    CFedDaOptions options{{{.mu = mu, .gamma = 5}}, /*local_steps=*/2};
    options.epsilon = 0;
    for (const Vector& w : simulate(bench, options).w) CHECK(w == bench.start);
    options.epsilon = 0.3;
    const ScaledNorm& norm = *bench.problem.regularizer->as_norm();
    double farthest = 0;
    for (const Vector& w : simulate(bench, options).w) farthest = std::max(farthest, norm.norm(w - bench.start));
    CHECK(farthest == Approx(0.3).epsilon(1e-11));  // the ball binds, to the accuracy of its iterative prox
  }
}

TEST_CASE("a ball that is far too small keeps the iterates next to the start") {
  for (const Problem& problem : {lasso(40, 6, 0.1), low_rank(40, 2, 3, 0.1)}) {
    Bench bench{.problem = problem, .sizes = {5, 15, 20}, .rounds = 6};
    bench.start = Vector::LinSpaced(6, -1, 1);
    CFedDaOptions options{{{.mu = mu, .gamma = 5}}, /*local_steps=*/2};
    options.epsilon = 1e-14;
    // The norm is at least the Euclidean one; the iterative prox of a nuclear norm is within 1e-13 (1 + |w|) of it.
    for (const Vector& w : simulate(bench, options).w) CHECK((w - bench.start).norm() <= 1e-12);
  }
}

TEST_CASE("C-FedDA bills the extra cost of a binding ball") {
  const Index d = 7;
  Bench bench{.problem = lasso(60, d, 0.1), .sizes = {60}, .rounds = 1};
  CFedDaOptions options{{{.mu = 0.1, .gamma = 20}}};
  options.epsilon = 1e-3;
  const Result result = simulate(bench, options);
  // One prox, at the server: 4 d log2(4 d) + 12 d log2(4 d) where the norm's ball of an l1 norm binds.
  CHECK(result.ledger.agent(0).flops == 2 * d + 5 * d + std::llround(16 * 7 * std::log2(28.0)));
  CHECK(result.w[1].lpNorm<1>() == Approx(1e-3).epsilon(1e-12));  // a sum of seven that an interpolation has set
}

TEST_CASE("where the ball of C-FedDA binds with a nuclear norm, each step of its solver is billed") {
  const double growth = 0.1, gamma = 20, epsilon = 1e-3;
  Bench bench{.problem = low_rank(60, 3, 4, 0.1), .sizes = {60}, .rounds = 1};
  const Index d = 12, svd = 14 * 4 * 9 + 8 * 27, prox = svd + 2 * 4 * 9;
  CFedDaOptions options{{{.mu = growth, .gamma = gamma}}};
  options.epsilon = epsilon;
  // The only prox is the server's, CProx_0 of the gradient at 0: B = mu / 2 + gamma.
  const double B = growth / 2 + gamma;
  const Vector v = bench.problem.X->dense().transpose() * bench.problem.y / 60 / B, zero = Vector::Zero(d);
  const BallProx found = prox_in_balls(*bench.problem.regularizer->as_norm(), v, 1 / B, {zero, epsilon}, no_ball);
  REQUIRE(found.iterations > 1);
  const Result result = simulate(bench, options);
  CHECK(result.ledger.agent(0).flops == 2 * d + prox + 2 * d + svd + found.iterations * (2 * prox + 6 * d));
  CHECK((result.w[1] - found.w).norm() <= 1e-12);  // v rounds otherwise, at 1e-16, and the solver stops at 1e-13
}

}  // namespace lagnet::c_fed_da_test
