#include "algorithms/problem/data_matrix.hpp"

#include <catch2/catch.hpp>

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

}  // namespace lagnet::data_matrix_test
