#include "algorithms/local/ridge_system.hpp"

#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::ridge_system_test {

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

}  // namespace lagnet::ridge_system_test
