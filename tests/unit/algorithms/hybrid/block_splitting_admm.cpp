#include "algorithms/hybrid/block_splitting_admm.hpp"

#include <catch2/catch.hpp>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/hybrid/cell_bench.hpp"

namespace lagnet::block_splitting_admm_test {

using namespace lagnet::test;

namespace {

BlockSplittingAdmmOptions with(double rho) { return {.penalty = rho}; }

/// K x Q blocks around a server.
Bench around(const Problem& problem, Index K, Index Q, Round rounds) {
  return {.problem = problem, .sizes = std::vector<Index>(static_cast<std::size_t>(K * Q), 1), .rounds = rounds};
}

Result run(const Problem& problem, Index K, Index Q, Round rounds, double rho) {
  return simulate(around(problem, K, Q, rounds), BlockSplittingAdmm(with(rho), divided(problem, K, Q, rounds)));
}

Problem classes(std::shared_ptr<const Loss> loss, std::shared_ptr<const Regularizer> regularizer) {
  Problem problem = random_problem(12, 6);
  problem.y = problem.y.unaryExpr([](double v) { return v > 0 ? 1.0 : -1.0; });
  problem.loss = std::move(loss);
  problem.regularizer = std::move(regularizer);
  return problem;
}

/// argmin over a of s (a - y)^2 / 2 + (a - v)^2 / 2, for every sample.
Vector prox_of_squares(const Vector& v, const Vector& y, double s) { return (v + s * y) / (1 + s); }

/// ADMM on copies of everything, with a multiplier for each: the halves are proxes and projections on graphs at what is
/// agreed less its multiplier, what is agreed is the nearest at which x_j = x_ij and y_i = sum_j y_ij.
std::vector<Vector> on_copies(const Problem& problem, Index K, Index Q, Round rounds, double rho) {
  const Matrix X = problem.X->dense();
  const Index n = X.rows() / K, m = X.cols() / Q, blocks = K * Q;
  const double s = 1 / (static_cast<double>(X.rows()) * rho);
  std::vector<Vector> x_ij(static_cast<std::size_t>(blocks), Vector::Zero(m)), x_ij_t = x_ij, x_half = x_ij;
  std::vector<Vector> y_ij(static_cast<std::size_t>(blocks), Vector::Zero(n)), y_ij_t = y_ij, y_half = y_ij;
  Vector x = Vector::Zero(X.cols()), x_t = x, y = Vector::Zero(X.rows()), y_t = y;
  std::vector<Vector> iterates;
  for (Round t = 0; t <= rounds; ++t) {
    const Vector y_prox = prox_of_squares(y - y_t, problem.y, s), x_prox = problem.regularizer->prox(x - x_t, 1 / rho);
    iterates.push_back(x_prox);
    Vector x_sum = x_prox + x_t, y_gap = y_prox + y_t;
    for (Index k = 0; k < blocks; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const Matrix A = X.block(k / Q * n, k % Q * m, n, m);
      const Vector c = x_ij[at] - x_ij_t[at], d = y_ij[at] - y_ij_t[at];
      x_half[at] = testing::inverse(Matrix::Identity(m, m) + A.transpose() * A) * (c + A.transpose() * d);
      y_half[at] = A * x_half[at];
      x_sum.segment(k % Q * m, m) += x_half[at] + x_ij_t[at];
      y_gap.segment(k / Q * n, n) -= y_half[at] + y_ij_t[at];
    }
    x = x_sum / static_cast<double>(K + 1);
    const Vector delta = y_gap / static_cast<double>(Q + 1);
    y = y_prox + y_t - delta;
    x_t += x_prox - x;
    y_t += y_prox - y;
    for (Index k = 0; k < blocks; ++k) {
      const auto at = static_cast<std::size_t>(k);
      x_ij[at] = x.segment(k % Q * m, m);
      y_ij[at] = y_half[at] + y_ij_t[at] + delta.segment(k / Q * n, n);
      x_ij_t[at] += x_half[at] - x_ij[at];
      y_ij_t[at] += y_half[at] - y_ij[at];
    }
  }
  return iterates;
}

double relative_error(const Problem& problem, const Vector& w) {
  const Optimum best = solve_centrally(problem);
  REQUIRE(best.certified());
  return (problem.objective(w) - best.value) / (problem.objective(Vector::Zero(w.size())) - best.value);
}

}  // namespace

TEST_CASE("three rounds of block splitting of one number are as by hand") {
  // y^half is 1 throughout; (x_k, y_k) halves 0, 0.5, 0.75; x 0, 0.25, 0.625; x~ 0, -0.25, -0.375.
  const auto w = run(problem_of(Matrix{{1}}, Vector{{2}}), 1, 1, 3, 1).w;
  for (std::size_t t : {0, 1}) CHECK(w[t] == scalar(0));
  CHECK(w[2][0] == Approx(0.5).epsilon(1e-15));
  CHECK(w[3][0] == Approx(1).epsilon(1e-15));
}

TEST_CASE("block splitting is ADMM with a multiplier for every copy") {
  const Problem problem = lasso(12, 6, 0.05);
  for (const auto& [K, Q] : {std::pair<Index, Index>(1, 1), {3, 1}, {1, 3}, {3, 2}, {2, 3}, {6, 1}}) {
    const auto expected = on_copies(problem, K, Q, 30, 0.2);
    const auto w = run(problem, K, Q, 30, 0.2).w;
    // The same sums in another order, in 30 steps that do not expand; systems of condition below 30.
    for (std::size_t t = 1; t <= 30; ++t) CHECK((w[t] - expected[t]).norm() < 1e-12);
    CHECK(w[30].norm() > 0.01);
  }
}

TEST_CASE("block splitting reaches the certified optimum for smooth losses and for those with kinks") {
  // ADMM converges for all of these, linearly from some round on. The best constant has the scale of the curvature.
  CHECK(relative_error(lasso(12, 6, 0.05), run(lasso(12, 6, 0.05), 3, 2, 2000, 0.1).w.back()) < 1e-8);
  const Problem logistic = classes(make_loss(LogisticOptions{}), make_regularizer(L1Options{.weight = 0.02}));
  CHECK(relative_error(logistic, run(logistic, 3, 2, 2000, 0.05).w.back()) < 1e-8);
  const Problem hinge = classes(make_loss(HingeOptions{}), make_regularizer(L2Options{.weight = 0.1}));
  CHECK(relative_error(hinge, run(hinge, 3, 2, 4000, 0.05).w.back()) < 1e-6);
}

TEST_CASE("iterates of block splitting keep to a set, and reach the best point in it") {
  Problem problem = random_problem(12, 6);
  problem.constraint = make_constraint(BoxOptions{.bound = 0.1}, IterateShape::vector(6));
  const Optimum best = solve_centrally(problem);
  REQUIRE(best.certified());
  const auto w = run(problem, 3, 2, 2000, 0.1).w;
  for (const Vector& of_round : w) CHECK(of_round.cwiseAbs().maxCoeff() <= 0.1);
  CHECK((w.back() - best.theta).norm() < 1e-5);  // a gap of 1e-10 bounds the distance by its root
}

TEST_CASE("sparse blocks give the iterates of dense ones") {
  Problem problem = lasso(12, 6, 0.05);
  Matrix X = problem.X->dense();
  X = (X.array() > 0.3).select(X, 0);
  problem.X = std::make_shared<const DataMatrix>(X);
  const Result dense = run(problem, 2, 2, 40, 0.1);
  problem.X = std::make_shared<const DataMatrix>(SparseMatrix(X.sparseView()));
  const Result sparse = run(problem, 2, 2, 40, 0.1);
  CHECK((dense.w.back() - sparse.w.back()).norm() < 1e-12);  // sums without their zeros
  CHECK(sparse.ledger.total().flops < dense.ledger.total().flops);
}

TEST_CASE("a round of block splitting costs a projection on each graph, the means, the exchange and the proxes") {
  const Index N = 12, M = 6, rounds = 5;
  for (const auto& [K, Q] : {std::pair<Index, Index>(2, 2), {6, 1}}) {
    const Index n = N / K, m = M / Q, order = std::min(n, m), blocks = K * Q;
    const Result result = run(lasso(N, M, 0.05), K, Q, rounds, 0.1);
    const Flops factor = n * m * order + order + order * order * order / 3;
    const Flops solve = n < m ? 2 * n * n + 4 * n * m + 2 * m : 2 * m * m;
    for (AgentId k = 1; k <= static_cast<AgentId>(blocks); ++k) {
      CHECK(result.ledger.agent(k).flops == factor + rounds * (solve + 4 * n * m + 5 * m));
      CHECK(result.ledger.agent(k).bytes_sent == rounds * (n + m) * 8);
      CHECK(result.ledger.agent(k).bytes_received == rounds * (n + m) * 8);
    }
    const Flops prox = 5 * N + M + 3 * M;
    CHECK(result.ledger.agent(0).flops == prox + rounds * (prox + 4 * (N + M) + blocks * (3 * n + m)));
    CHECK(result.ledger.total().messages_sent == rounds * 2 * blocks);
    CHECK(result.ledger.total().hops == 2 * rounds);
  }
}

TEST_CASE("with partial cohorts the newest halves of absent clients are used") {
  const Problem problem = lasso(12, 6, 0.05);
  Bench bench = around(problem, 2, 2, 6000);
  bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 3));
  const BlockSplittingAdmm method(with(0.1), divided(problem, 2, 2, 6000));
  const Result result = simulate(bench, method);
  CHECK(relative_error(problem, result.w.back()) < 1e-6);
  CHECK(method.remarks(counts_of(result.ledger)).empty());
  bench.model.participation = std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1, 2, 4}});
  CHECK(texts_of(method.remarks(counts_of(simulate(bench, method).ledger))) ==
        std::vector<std::string>{"1 of 4 clients never took part (agents 3): the run solves the problem without their "
                                 "samples and features"});
}

TEST_CASE("block splitting refuses unsupported scenarios and reports missing answers") {
  Problem problem = lasso(12, 6, 0.05);
  const MethodInput given = divided(problem, 2, 2, 1);
  const std::vector<RunCounts::OfAgent> sent(5, {.messages_sent = 1});
  const RunCounts all_took_part{.agents = sent}, two_missing{.missing = 2, .agents = sent};
  CHECK(BlockSplittingAdmm(with(0.1), given).remarks(all_took_part).empty());
  CHECK_THAT(BlockSplittingAdmm(with(0.1), given).remarks(two_missing).at(0).text,
             Catch::StartsWith("2 answers of clients"));
  CHECK_THROWS_WITH(BlockSplittingAdmm(with(0), given), "penalty: expected a number above 0, found 0");
  problem.constraint = make_constraint(BoxOptions{.bound = 0.1}, IterateShape::vector(6));
  CHECK_THROWS_WITH(BlockSplittingAdmm(with(0.1), divided(problem, 2, 2, 1)),
                    "kind: expected an algorithm for a regularizer and a constraint at once, or a problem with one of "
                    "them, found block_splitting_admm");
  CHECK_THROWS_WITH(BlockSplittingAdmm(with(0.1), divided(softmax_lasso(12, 6, 3, 0.1), 2, 2, 1)),
                    "kind: expected an algorithm for losses of several scores a sample, found block_splitting_admm");
}

}  // namespace lagnet::block_splitting_admm_test
