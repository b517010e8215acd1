#include "algorithms/kernels/column_block.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/draws.hpp"

namespace lagnet::column_block_test {

namespace {

Matrix noise(Index rows, Index cols, const char* which) {
  Draws draws(1, Purpose(which), static_cast<AgentId>(rows));
  return Matrix::NullaryExpr(rows, cols, [&] { return draws.normal(); });
}

/// The order of column_kernels.hpp, as plainly as can be.
double dot_in_lanes(const Vector& a, const Vector& b) {
  double lane[8] = {};
  for (Index i = 0; i < a.size(); ++i) lane[i % 8] += a[i] * b[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

}  // namespace

TEST_CASE("All variants of the column kernels give the bits of the plain loops") {
  CHECK(column_kernel_variants().front()->name == std::string("baseline"));
  CHECK(column_kernel_variants().back() == &column_kernels());
  for (const ColumnKernels* kernels : column_kernel_variants())
    for (const Index n : {0, 1, 7, 8, 33, 100})  // no lanes, a part of them, whole ones, and beyond a step of axpy
      for (Index count = 1; count <= columns_at_once; ++count) {
        INFO(kernels->name << ", " << n << " rows, " << count << " columns");
        const Matrix X = noise(n + 3, columns_at_once, "X");  // the columns lie three numbers further apart
        const Vector v = noise(n, 1, "v"), c = noise(count, 1, "c"), start = noise(n, 1, "start");
        Vector products(count), sum = start;
        kernels->dot(X.data(), X.rows(), count, v.data(), n, products.data());
        kernels->axpy(X.data(), X.rows(), count, c.data(), n, sum.data());
        for (Index k = 0; k < count; ++k) REQUIRE(products[k] == dot_in_lanes(X.col(k).head(n), v));
        Vector fresh = Vector::Constant(n, 99);
        kernels->combine(X.data(), X.rows(), count, c.data(), n, fresh.data());
        for (Index i = 0; i < n; ++i) {
          double added = c[0] * X(i, 0);
          for (Index k = 1; k < count; ++k) added += c[k] * X(i, k);
          REQUIRE(sum[i] == start[i] + added);
          REQUIRE(fresh[i] == 0.0 + added);
        }
      }
}

TEST_CASE("An axpy with the dot products of the next columns gives the bits of the two after each other") {
  for (const ColumnKernels* kernels : column_kernel_variants())
    for (const Index n : {0, 1, 7, 8, 33, 100})
      for (Index next = 1; next <= columns_at_once; ++next) {
        INFO(kernels->name << ", " << n << " rows, " << next << " columns follow");
        const Matrix X = noise(n + 3, columns_at_once + next, "X");
        const Vector v = noise(n, 1, "v"), c = noise(columns_at_once, 1, "c"), start = noise(n, 1, "start");
        Vector expected = start, anew(n), products(next);
        kernels->axpy(X.data(), X.rows(), columns_at_once, c.data(), n, expected.data());
        kernels->combine(X.data(), X.rows(), columns_at_once, c.data(), n, anew.data());
        kernels->dot(X.col(columns_at_once).data(), X.rows(), next, v.data(), n, products.data());
        for (const bool adds : {true, false}) {
          Vector sum = adds ? start : Vector::Constant(n, 99), dots(next);
          const auto pass = adds ? kernels->axpy_dot : kernels->combine_dot;
          pass(X.data(), X.rows(), c.data(), n, sum.data(), next, v.data(), dots.data());
          CHECK(sum == (adds ? expected : anew));
          CHECK(dots == products);
        }
      }
}

TEST_CASE("A sweep over columns gives what two products with a step between them give, dense and sparse") {
  Matrix X = noise(50, 11, "X");
  X = (X.array().abs() < 0.8).select(0, X);  // about half of it zeros
  const Vector lambda = noise(50, 1, "lambda");
  for (const bool sparse : {false, true}) {
    const auto data =
        std::make_shared<const DataMatrix>(sparse ? DataMatrix(SparseMatrix(X.sparseView())) : DataMatrix(X));
    const ColumnBlock block(data, 2, 7, 50);  // two passes: four columns and three
    Vector products(7), sum = Vector::Constant(50, 99);
    block.sweep(lambda, sum, [&](Index first, Eigen::Ref<Vector> x) {
      products.segment(first, x.size()) = x;
      x = x.array().square();
    });
    CHECK(products == block.transpose_times(lambda));
    Vector expected(50);  // the same coefficients from another dual, so that nothing is carried over
    block.sweep(Vector::Zero(50), expected,
                [&](Index first, Eigen::Ref<Vector> x) { x = products.segment(first, x.size()).array().square(); });
    CHECK(sum == expected);
    // Against Eigen's own order: 50 products of rounding error 2^-53 each, none above 20.
    CHECK((products - X.middleCols(2, 7).transpose() * lambda).norm() < 1e-12);
    CHECK((sum - X.middleCols(2, 7) * products.array().square().matrix()).norm() < 1e-10);
  }
}

TEST_CASE("a product with sparse columns takes 2n - 1 flops for each that has n entries and none for empty ones") {
  SparseMatrix X(4, 5);
  X.insert(0, 1) = 1;
  X.insert(3, 1) = 1;
  X.insert(2, 4) = 1;
  X.makeCompressed();
  const auto data = std::make_shared<const DataMatrix>(X);
  CHECK(ColumnBlock(data, 0, 5, 4).transpose_times_flops() == 3 + 1);
  CHECK(ColumnBlock(data, 2, 2, 4).transpose_times_flops() == 0);
  CHECK(ColumnBlock(data, 0, 5, 4).add_times_flops() == 6);
  CHECK(ColumnBlock(std::make_shared<const DataMatrix>(Matrix(4, 3)), 1, 2, 4).transpose_times_flops() == 2 * 7);
}

}  // namespace lagnet::column_block_test
