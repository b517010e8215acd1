#include "algorithms/problem/data_matrix.hpp"

#include <catch2/catch.hpp>
#include <memory>

#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"

namespace lagnet::data_matrix_test {

TEST_CASE("The objective of a matrix of coefficients has a row of scores for each sample, dense or sparse") {
  const Matrix x = (Matrix(2, 3) << 1, 0, 2, 0, -1, 0).finished();
  const Vector W = Vector::LinSpaced(6, 0.1, 0.6);  // rows (.1, .2), (.3, .4), (.5, .6)
  for (const DataMatrix& data : {DataMatrix(x), DataMatrix(SparseMatrix(x.sparseView()))}) {
    const Vector scores = data.times(W, 2);
    CHECK((scores - (Vector(4) << 1.1, 1.4, -0.3, -0.4).finished()).norm() < 1e-15);
    const Vector back = data.transpose_times((Vector(4) << 1, 2, 3, 4).finished(), 2);
    CHECK(back == (Vector(6) << 1, 2, -3, -4, 2, 4).finished());
  }
}

TEST_CASE("Listed rows come in that order, dense or sparse, and as a shape without numbers") {
  const Matrix x = (Matrix(3, 2) << 1, 0, 2, 0, -1, 3).finished();
  const Matrix expected = (Matrix(2, 2) << -1, 3, 1, 0).finished();
  for (const DataMatrix& data : {DataMatrix(x), DataMatrix(SparseMatrix(x.sparseView()))})
    CHECK(data.rows({2, 0}).dense() == expected);
  CHECK(DataMatrix(SparseMatrix(x.sparseView())).rows({2, 0}).nonzeros() == 3);
  const DataMatrix shape = DataMatrix::of_shape(3, 2).rows({2, 0});
  CHECK(shape.rows() == 2);
  CHECK_FALSE(shape.has_numbers());
}

namespace {

/// Most entries are 0; the others add up to other numbers in other orders.
Matrix some_entries(Index n, Index d) {
  Draws draws(5, Purpose{"test data"});
  return Matrix::NullaryExpr(n, d, [&draws] { return draws.below(3) > 0 ? 0 : draws.normal(); });
}

}  // namespace

TEST_CASE("Numbers that lie elsewhere are used without a copy and live as long as the matrix") {
  auto dense = std::make_shared<const Matrix>(some_entries(6, 4));
  const Matrix expected = *dense;
  const DataMatrix X(Eigen::Map<const Matrix>(dense->data(), 6, 4), dense);
  CHECK(X.as_dense()->data() == dense->data());
  dense.reset();
  const DataMatrix copy = X;
  CHECK(copy.as_dense()->data() == X.as_dense()->data());
  CHECK(copy.dense() == expected);
  CHECK_THROWS_AS(DataMatrix(Eigen::Map<const Matrix>(X.as_dense()->data() + 1, 5, 1), nullptr), InternalError);
}

TEST_CASE("A sparse matrix given by rows equals the one given by columns to the last bit") {
  const Matrix x = some_entries(40, 23);
  const auto rows = std::make_shared<const SparseRows>(x.sparseView());
  const DataMatrix by_columns(SparseMatrix(x.sparseView()));
  const DataMatrix by_rows(
      SparseRowsView(40, 23, rows->nonZeros(), rows->outerIndexPtr(), rows->innerIndexPtr(), rows->valuePtr()), rows);
  CHECK(by_rows.as_sparse_rows()->valuePtr() == rows->valuePtr());
  CHECK_FALSE(by_columns.as_sparse_rows());
  const Vector theta = some_entries(23, 1).array() + 0.3, lambda = some_entries(40, 1).array() - 0.7;
  CHECK(by_rows.times(theta) == by_columns.times(theta));
  CHECK(by_rows.transpose_times(lambda) == by_columns.transpose_times(lambda));
  CHECK(by_rows.nonzeros() == by_columns.nonzeros());
  CHECK(by_rows.bytes() == by_columns.bytes());
  CHECK(by_rows.squared_norm() == by_columns.squared_norm());
  CHECK(by_rows.columns({4, 1}).dense() == by_columns.columns({4, 1}).dense());
  CHECK(by_rows.dense() == x);
  const DataMatrix part = by_rows.row_range(7, 20);
  CHECK(part.as_sparse_rows()->valuePtr() == rows->valuePtr() + rows->outerIndexPtr()[7]);
  CHECK(part.dense() == x.middleRows(7, 20));
  CHECK(part.nonzeros() == by_columns.row_range(7, 20).nonzeros());
  CHECK(by_rows.all_finite());
}

}  // namespace lagnet::data_matrix_test
