#include "algorithms/kernels/row_block.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "sim/base/draws.hpp"
#include "tests/unit/algorithms/bare_loss.hpp"

namespace lagnet::row_block_test {

namespace {

/// Every third entry is 0.
Matrix some_data(Index n, Index d) {
  Draws draws(3, Purpose{"test data"});
  Matrix X(n, d);
  Index k = 0;
  for (double& x : X.reshaped()) x = ++k % 3 == 0 ? 0 : draws.normal();
  return X;
}

}  // namespace

TEST_CASE("a batch's gradient is the mean of its samples' gradients, dense or sparse") {
  const Matrix X = some_data(9, 5);
  const Vector y = Vector::NullaryExpr(9, [](Index i) { return i % 2 == 0 ? 1.0 : -1.0; });
  const Vector w = Vector::LinSpaced(5, -1, 2);
  const std::vector<Index> batch{0, 2, 3};
  for (const auto& loss : {make_loss(SquaredOptions{}), make_loss(LogisticOptions{})}) {
    Vector expected = Vector::Zero(5);
    for (const Index i : batch) {
      const Vector x = X.row(4 + i);
      expected += loss->derivative(x.dot(w), y[4 + i]) * x / 3;
    }
    for (const DataMatrix& data : {DataMatrix(X), DataMatrix(SparseMatrix(X.sparseView()))}) {
      const RowBlock block(std::make_shared<const SampleRows>(data, y), 4, 5);
      // Three products of size 1 added in another order.
      CHECK((block.gradient(*loss, w, batch) - expected).norm() < 1e-14);
    }
  }
}

TEST_CASE("a loss that prefers all samples at once gives the bits of one that is asked for each") {
  const Matrix X = some_data(9, 5);
  const Vector y = Vector::LinSpaced(9, -1, 1), w = Vector::LinSpaced(5, -1, 2);
  const std::vector<Index> batch{3, 0, 2};
  const auto loss = make_loss(LogisticOptions{});
  for (const DataMatrix& data : {DataMatrix(X), DataMatrix(SparseMatrix(X.sparseView()))}) {
    const RowBlock block(std::make_shared<const SampleRows>(data, y), 4, 5);
    CHECK(block.gradient(test::BareLoss(loss), w, batch) == block.gradient(*loss, w, batch));
  }
}

TEST_CASE("a dense batch costs 4 b d + b + d flops and a pass over its rows, a sparse one by its entries") {
  const Matrix X = some_data(9, 5);
  const std::vector<Index> batch{1, 2, 4};
  const RowBlock dense(std::make_shared<const SampleRows>(DataMatrix(X), Vector::Zero(9)), 4, 5);
  CHECK(dense.gradient_work(batch) == Cost(4 * 3 * 5 + 3 + 5, 8 * (3 * 5 + 3 + 2 * 5)));
  const RowBlock sparse(std::make_shared<const SampleRows>(DataMatrix(SparseMatrix(X.sparseView())), Vector::Zero(9)),
                        4, 5);
  Index entries = 0;
  for (const Index i : batch) entries += (X.row(4 + i).array() != 0).count();
  CHECK(entries < 3 * 5);
  CHECK(sparse.gradient_work(batch) == Cost(4 * entries + 3 + 5, 12 * entries + 8 * (3 + 2 * 5)));
}

TEST_CASE("a batch's gradient of softmax scores is the mean of x (p - e_y)', dense or sparse, at its price") {
  const Index c = 3;
  const Matrix X = some_data(9, 5);
  const Vector y = Vector::NullaryExpr(9, [](Index i) { return static_cast<double>(i % 3); });
  const Vector W = Vector::LinSpaced(15, -1, 2);
  const std::vector<Index> batch{0, 2, 3};
  const auto loss = make_loss(SoftmaxOptions{.classes = c});
  Matrix expected = Matrix::Zero(c, 5);  // transposed: by columns it lies row by row
  Index entries = 0;
  for (const Index i : batch) {
    const Vector x = X.row(4 + i);
    const Vector scores = W.reshaped(c, 5) * x;
    expected += loss->derivative(scores, y.segment(4 + i, 1)) * x.transpose() / 3;
    entries += (X.row(4 + i).array() != 0).count();
  }
  for (const DataMatrix& data : {DataMatrix(X), DataMatrix(SparseMatrix(X.sparseView()))}) {
    const RowBlock block(std::make_shared<const SampleRows>(data, y), 4, 5);
    // Three products of size 1 added in another order.
    CHECK((block.gradient(*loss, W, batch) - expected.reshaped()).norm() < 1e-14);
    const Index products = block.is_sparse() ? entries : 3 * 5;
    CHECK(block.gradient_work(batch, c).flops == 4 * products * c + 6 * 3 * c + 5 * c);
  }
}

TEST_CASE("large products are divided in the same way on every machine") {
  // What Eigen takes for the caches' sizes, by which it blocks them, and so the order in which it adds up.
  CHECK(Eigen::l1CacheSize() == 32 << 10);
  CHECK(Eigen::l2CacheSize() == 512 << 10);
  CHECK(Eigen::l3CacheSize() == 4 << 20);
}

}  // namespace lagnet::row_block_test
