#include "scenarios/data/generators/matrix_completion.hpp"

#include <cmath>

#include "tests/support/decompositions.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/data/generators/laws.hpp"

namespace lagnet::matrix_completion_test {

using namespace laws;

TEST_CASE("observed entries are rows with one entry, scaled so that the Hessian is the identity on average") {
  const Index n = 20000, p = 10;
  const DataSet data =
      load(MatrixCompletionOptions{.size = p, .rank = 3, .observations = n, .omega = 2, .noise = 0}, 5);
  const SparseView X = *data.X.as_sparse();
  CHECK(X.nonZeros() == n);
  CHECK(data.y == data.X.times(*data.truth));
  CHECK(data.truth->cwiseAbs().maxCoeff() == Approx(2.0 / p).epsilon(4 * eps));
  const Vector s = singular_values_by_rotations(as_matrix(*data.truth, data.shape));
  CHECK(s[2] > 1e-3 * s[0]);
  CHECK(s[3] < 100 * eps * s[0]);  // rounding of sums of three products
  double chi_square = 0;
  for (Index j = 0; j < p * p; ++j) {
    const double seen = X.col(j).sum() / p;  // entries are p
    CHECK(X.col(j).squaredNorm() == Approx(seen * p * p).epsilon(1e-12));
    chi_square += std::pow(seen - count(n) / count(p * p), 2) / (count(n) / count(p * p));
  }
  // Pearson's statistic of equal shares has p^2 - 1 degrees of freedom, and about twice as much variance.
  CHECK(std::abs(chi_square - 99) < sigmas * std::sqrt(2 * 99.0));
}

TEST_CASE("noise on observed entries has the standard deviation asked for, over p") {
  const Index n = 4000;
  const DataSet data =
      load(MatrixCompletionOptions{.size = 10, .rank = 3, .observations = n, .omega = 2, .noise = 0.25}, 5);
  const Vector noise = data.y - data.X.times(*data.truth);  // p times that on an entry
  CHECK(std::abs(noise.squaredNorm() / count(n) / 0.0625 - 1) < sigmas * std::sqrt(2 / count(n)));
}

}  // namespace lagnet::matrix_completion_test
