#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/objectives/soft_threshold.hpp"
#include "tests/unit/algorithms/dual/saddle_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

/// DiSPA and A-DiSPA where g has an l1 norm.
namespace lagnet::saddle_l1_test {

using namespace lagnet::test;

namespace {

constexpr double lambda = 0.05, a = 0.02;

Bench elastic_bench(const std::shared_ptr<const Loss>& loss, Round rounds) {
  Bench bench = saddle_bench(loss, lambda, rounds);
  bench.problem.regularizer = make_regularizer(ElasticNetOptions{.l1_weight = a, .l2_weight = lambda});
  return bench;
}

}  // namespace

TEST_CASE("with an l1 norm all solvers reach the certified optimum and its zeros") {
  for (const auto& loss : {make_loss(SmoothedHingeOptions{.gamma = 0.7}), make_loss(LogisticOptions{})})
    for (const auto solver : {LocalSolverKind::spdc, LocalSolverKind::sdca, LocalSolverKind::exact}) {
      const Bench bench = elastic_bench(loss, 1500);
      const Optimum best = solve_centrally(bench.problem);
      REQUIRE(best.certified());
      CHECK((best.theta.array() == 0).any());
      const auto method = make_algorithm(with_steps(dispa(1, 4, solver), 30), bench.assignment());
      const Result result = simulate(bench, *method);
      CAPTURE(loss->kind(), static_cast<int>(solver));
      CHECK((result.w.back() - best.theta).norm() <= 1e-6);  // the optimum's own accuracy, sqrt(1e-14 / lambda)
      for (Index j = 0; j < 6; ++j) CHECK((result.w.back()[j] == 0) == (best.theta[j] == 0));
      const std::vector<double> gaps = may_miss_rounds(bench, *method, result);
      for (const double gap : gaps) CHECK(gap >= -1e-14);
      CHECK(gaps.back() <= 1e-12);
    }
}

TEST_CASE("the dual objective has the conjugate of the elastic net") {
  const Bench bench = elastic_bench(make_loss(SquaredOptions{}), 3);
  const auto method = make_algorithm(with_steps(dispa(1, 4), 10), bench.assignment());
  const Result result = simulate(bench, *method);
  const Vector &x = result.parts[3][0], &y = result.parts[3][1];
  const Vector u = -bench.problem.pulled_back(y) / 30;
  double conjugate = 0;  // sup over x of u x - a |x| - (lambda/2) x^2, by its three cases
  for (const double u_j : u) {
    const double x_j = (std::abs(u_j) <= a ? 0 : u_j - std::copysign(a, u_j)) / lambda;
    conjugate += u_j * x_j - a * std::abs(x_j) - lambda / 2 * x_j * x_j;
  }
  double losses = 0;
  for (Index i = 0; i < 30; ++i) losses += bench.problem.loss->conjugate(y[i], bench.problem.y[i]);
  const double gap = bench.problem.objective(x) + losses / 30 + conjugate;
  const std::vector<std::vector<Vector>> report{result.parts[3]};
  CHECK(method->evaluate(3, report, {}).metrics[1].value() == Approx(gap).epsilon(1e-12));
}

TEST_CASE("with an l1 norm sparse data give the iterates of the same data stored densely") {
  Bench dense = elastic_bench(make_loss(SmoothedHingeOptions{.gamma = 0.7}), 6);
  Matrix X = dense.problem.X->dense();
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j)
      if ((i + 2 * j) % 3 != 0) X(i, j) = 0;
  dense.problem.X = std::make_shared<const DataMatrix>(X);
  Bench sparse = dense;
  sparse.problem.X = std::make_shared<const DataMatrix>(SparseMatrix(X.sparseView()));
  const auto check = [&](const auto& options) {
    const Result one = simulate(dense, options), other = simulate(sparse, options);
    CHECK(largest_difference(one, other) <= 1e-12);  // rounding of 100 steps in each of 6 rounds
  };
  check(with_steps(dispa(0.5, 4), 100));
  check(with_steps(dispa(20, 40), 100));
  check(with_steps(dispa(0.5, 4, LocalSolverKind::sdca), 100));
  DispaOptions lean = with_steps(dispa(0.5, 4), 100);
  lean.messages = SaddleMessages::lean;
  check(lean);
}

TEST_CASE("an l1 norm alone needs the perturbation, whose optimum is off by at most Corollary 1's bound") {
  Bench bench = saddle_bench(make_loss(SmoothedHingeOptions{.gamma = 1}), lambda, 3000);
  bench.problem.regularizer = make_regularizer(L1Options{.weight = a});
  CHECK_THROWS_WITH(make_algorithm(dispa(1, 4), bench.assignment()),
                    "eps: expected above 0, since the regularizer has no square norm, found 0");
  const Optimum best = solve_centrally(bench.problem);
  REQUIRE(best.certified());
  for (const double eps : {0.1, 0.01}) {
    DispaOptions options = dispa(4, 4, LocalSolverKind::exact);
    options.eps = eps;
    const double excess = bench.problem.objective(simulate(bench, options).w.back()) - best.value;
    CHECK(excess > 0);
    CHECK(excess <= eps / 2 * (best.theta.squaredNorm() + 1));  // duals of a hinge are at most 1
  }
}

TEST_CASE("with an l1 norm a step takes 3 flops more for each entry and so does the center for each feature") {
  const auto flops = [](const std::shared_ptr<const Regularizer>& g, LocalSolverKind solver, AgentId agent) {
    Bench bench = saddle_bench(make_loss(SquaredOptions{}), lambda, 1);
    bench.problem.regularizer = g;
    return simulate(bench, with_steps(dispa(1, 4, solver), 10)).ledger.agent(agent).flops;
  };
  const auto with = make_regularizer(ElasticNetOptions{.l1_weight = a, .l2_weight = lambda}),
             without = make_regularizer(L2Options{.weight = lambda});
  const Index d = 6, steps = 10;
  for (const auto solver : {LocalSolverKind::spdc, LocalSolverKind::sdca})
    CHECK(flops(with, solver, 1) - flops(without, solver, 1) == 3 * d * steps);
  CHECK(flops(with, LocalSolverKind::spdc, 0) - flops(without, LocalSolverKind::spdc, 0) == 3 * d);
}

}  // namespace lagnet::saddle_l1_test
