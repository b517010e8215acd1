#include "algorithms/local/local_fits.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/central/gram.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "sim/base/diagnostic.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/central/problems.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::test::local_fits_test {

namespace {

DataMatrix some_matrix(Index n, Index q) {
  Matrix A(n, q);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < q; ++j) A(i, j) = std::sin(1 + 7.3 * static_cast<double>(i) + 3.1 * static_cast<double>(j));
  return DataMatrix(std::move(A));
}

Vector some_vector(Index n) {
  Vector s(n);
  for (Index i = 0; i < n; ++i) s[i] = std::cos(0.7 * static_cast<double>(i));
  return s;
}

struct Local {
  Problem problem = random_problem(20, 4);
  double pi = 0.4;
  RowBlock samples() const { return {std::make_shared<const SampleRows>(*problem.X, problem.y), 0, problem.samples}; }
  double L() const {
    const double norm = spectral_norm(*problem.X);
    return pi * problem.loss->smoothness().value() * norm * norm / 20;
  }
  Vector solve(double rho, double accuracy, const Vector& v, Index* count = nullptr) const {
    Vector x = Vector::Zero(4);
    const Index gradients = SmoothProx(*problem.loss, pi, L(), rho, accuracy).solve(samples(), v, x);
    if (count) *count = gradients;
    return x;
  }
};

}  // namespace

using namespace lagnet::test;

TEST_CASE("a ridge system is solved from either side, dense and sparse") {
  for (const auto& [n, d] : {std::pair<Index, Index>(9, 4), {4, 9}, {5, 5}, {1, 1}}) {
    Matrix A = random_matrix(n, d);
    A = (A.array() > -0.5).select(A, 0);
    const Vector q = random_matrix(d, 1, 3).col(0);
    for (const double rho : {0.1, 10.0})
      for (const DataMatrix& matrix : {DataMatrix(A), DataMatrix(SparseMatrix(A.sparseView()))}) {
        RidgeSystem system(matrix, rho);
        system.factor();
        const Vector x = system.solve(q);
        // A condition number of at most |A|^2 / 0.1 = 300.
        CHECK((A.transpose() * (A * x) + rho * x - q).norm() < 1e-13 * q.norm() * 300);
      }
  }
}

TEST_CASE("where rho is lost beside A'A, which is singular, solutions are no numbers") {
  // Equal columns: A'A = 2^62 (1 1; 1 1), whose root is exact; 1e-9 is below its last place, and the second pivot is 0.
  const DataMatrix A(Matrix(Matrix::Constant(4, 2, 0x1p30)));
  RidgeSystem system(A, 1e-9);
  system.factor();
  CHECK(system.solve(Vector::Ones(2)).array().isNaN().all());
}

TEST_CASE("the flops of a ridge system are those of the smaller side, of sparse data those of the stored entries") {
  const DataMatrix tall(Matrix(Matrix::Ones(9, 3))), wide(Matrix(Matrix::Ones(3, 9)));
  CHECK(RidgeSystem::factor_work(tall).flops == 9 * 3 * 3 + 3 + 9);
  CHECK(RidgeSystem::factor_work(wide).flops == 9 * 3 * 3 + 3 + 9);
  CHECK(RidgeSystem::solve_work(tall).flops == 2 * 3 * 3);
  CHECK(RidgeSystem::solve_work(wide).flops == 2 * 3 * 3 + 4 * 27 + 2 * 9);
  // Rows of 2, 1 and 0 stored entries.
  const Matrix few{{1, 2}, {0, 3}, {0, 0}};
  CHECK(RidgeSystem::factor_work(DataMatrix(SparseMatrix(few.sparseView()))).flops == 4 + 1 + 2 + 2);
  CHECK(RidgeSystem::factor_work(DataMatrix(SparseMatrix(few.transpose().sparseView()))).flops == 4 + 1 + 2 + 2);
}

TEST_CASE("A fit with an l2 part alone solves its linear equations") {
  const DataMatrix A = some_matrix(9, 4);
  const Vector s = some_vector(9);
  const double b = 0.3, c = 2;
  ElasticNetFit fit(A, 0, b, c);
  fit.prepare();
  Vector theta = Vector::Zero(4);
  CHECK(fit.solve(s, theta) == 0);
  // b theta + A'(A theta + s) / c = 0, to rounding of numbers of size 10.
  const Vector gradient = b * theta + A.transpose_times(A.times(theta) + s) / c;
  CHECK(gradient.lpNorm<Eigen::Infinity>() < 1e-13);
}

TEST_CASE("A fit with an l1 part satisfies the conditions of optimality, from any start") {
  const DataMatrix A = some_matrix(9, 6);
  const Vector s = some_vector(9);
  const double a = 0.8, b = 0.1, c = 2;
  ElasticNetFit fit(A, a, b, c);
  fit.prepare();
  Vector cold = Vector::Zero(6), warm = Vector::Constant(6, 3);
  fit.solve(s, cold);
  fit.solve(s, warm);
  CHECK((cold - warm).lpNorm<Eigen::Infinity>() < 1e-11);  // 1e-13 a move, over a condition number below 100
  const Vector gradient = b * cold + A.transpose_times(A.times(cold) + s) / c;
  Index zeros = 0;
  for (Index j = 0; j < 6; ++j) {
    if (cold[j] == 0) {
      CHECK(std::abs(gradient[j]) <= a);
      ++zeros;
    } else {
      CHECK(std::abs(gradient[j] + std::copysign(a, cold[j])) < 1e-10);
    }
  }
  CHECK(zeros > 0);
  CHECK(zeros < 6);
}

TEST_CASE("A fit with a large l1 part is 0 at once") {
  const DataMatrix A = some_matrix(9, 4);
  ElasticNetFit fit(A, 1e6, 0, 1);
  fit.prepare();
  Vector theta = Vector::Zero(4);
  CHECK(fit.solve(some_vector(9), theta) == 1);
  CHECK(theta == Vector::Zero(4));
}

TEST_CASE("the result is within the stated distance of the exact prox") {
  const Local local;
  const Vector v = Vector::LinSpaced(4, -1, 1);
  const Matrix X = local.problem.X->dense();
  for (const double rho : {0.01, 1.0}) {
    const Matrix H = local.pi * X.transpose() * X / 20 + rho * Matrix::Identity(4, 4);
    const Vector exact = testing::solve(H, local.pi * X.transpose() * local.problem.y / 20 + rho * v);
    for (const double accuracy : {1e-2, 1e-6, 1e-12})
      CHECK((local.solve(rho, accuracy, v) - exact).norm() <= accuracy + 1e-14);  // and the rounding of the exact one
  }
}

TEST_CASE("a result beyond rounding ends all the same, as do numbers that are not finite") {
  Local local;
  local.problem.loss = make_loss(LogisticOptions{});
  local.problem.y = local.problem.y.unaryExpr([](double y) { return y > 0 ? 1.0 : -1.0; });
  Index gradients = 0;
  const Vector v = Vector::LinSpaced(4, -1, 1), x = local.solve(0.01, 1e-30, v, &gradients);
  CHECK((x - local.solve(0.01, 1e-12, v)).norm() < 1e-11);
  // Twice sqrt(kappa) log(2 kappa ratio^2) with kappa below 100 and a ratio below 1e33, and ten.
  CHECK(gradients < 2 * 10 * 160 + 10);
  local.solve(0.01, 1e-12, Vector::Constant(4, NAN), &gradients);
  CHECK(gradients == 1);
}

TEST_CASE("a penalty that makes the prox too hard is refused after a million gradients, with how hard it is") {
  const Local local;
  CHECK_THROWS_WITH(local.solve(1e-15, 1e-8, Vector::Zero(4)), Catch::Contains("not found in a million gradients"));
}

TEST_CASE("with one feature that is 1 each agent finds the mean of its labels") {
  const Problem problem = testing::make_problem(Vector::Ones(6), Vector{{1, 2, 6, 5, 10, 0}},
                                                make_loss(SquaredOptions{}), make_regularizer(NoneOptions{}));
  const std::vector<Vector> found = own_minimizers(problem, {0, 3, 4, 6});
  REQUIRE(found.size() == 3);
  // A few roundings of numbers below 10.
  CHECK(found[0][0] == Approx(3).margin(1e-14));
  CHECK(found[1][0] == Approx(5).margin(1e-14));
  CHECK(found[2][0] == Approx(5).margin(1e-14));
}

TEST_CASE("rows without a minimizer are refused with their agent") {
  // The second agent's labels are alike: its own logistic loss decreases for ever.
  const Problem problem = testing::make_problem(Vector::Ones(4), Vector{{1, -1, 1, 1}}, make_loss(LogisticOptions{}),
                                                make_regularizer(NoneOptions{}));
  CHECK_THROWS_WITH(own_minimizers(problem, {0, 2, 4}),
                    "kind: expected samples of which each agent's have a minimizer, as any do with an l2 regularizer, "
                    "found none for those of agent 1");
}

}  // namespace lagnet::test::local_fits_test
