#include "algorithms/local/elastic_net_fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace lagnet::elastic_net_fit_test {

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

}  // namespace

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

}  // namespace lagnet::elastic_net_fit_test
