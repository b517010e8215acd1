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

}  // namespace lagnet::data_matrix_test
