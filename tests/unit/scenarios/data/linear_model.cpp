#include "scenarios/data/linear_model.hpp"

#include <catch2/catch.hpp>

#include "scenarios/data/preprocess.hpp"
#include "sim/base/draws.hpp"

namespace lagnet::linear_model_test {

namespace {

Matrix random(Index rows, Index cols, std::uint64_t seed) {
  Draws draws(seed, Purpose{"linear model test"});
  Matrix X(rows, cols);
  for (double& x : X.reshaped()) x = draws.normal();
  return X;
}

/// Columns of different means and lengths, one constant, one of zeros.
DataSet raw(bool sparse) {
  Matrix X = random(30, 6, 1);
  X.col(0) = X.col(0) * 50 + Vector::Constant(30, 7);
  X.col(1).setConstant(0.1);
  X.col(2).setZero();
  const Vector y = random(30, 1, 2).col(0) * 3 + Vector::Constant(30, 5);
  return {.X = sparse ? DataMatrix(SparseMatrix(X.sparseView())) : DataMatrix(X), .y = y, .samples = 30, .origin = "x"};
}

}  // namespace

TEST_CASE("a model in the data's own scale scores raw samples as theta scores preprocessed ones") {
  for (const bool sparse : {false, true})
    for (const auto& scaling : spellings(Scaling{}))
      for (const bool intercept : {false, true})
        for (const bool standardize_labels : {false, true}) {
          CAPTURE(scaling.name, sparse, intercept, standardize_labels);
          const DataSet before = raw(sparse);
          PreprocessOptions options{.scaling = scaling.value, .factor = 0.5};
          options.standardize_labels = standardize_labels;
          options.intercept = intercept;
          options.intercept_value = intercept ? 10 : 1;
          const DataSet after = preprocess(before, options, 1);
          for (const Index outputs : {1, 3}) {
            if (outputs > 1 && standardize_labels) continue;  // of classes, which have no scale
            const Vector theta = random(after.X.cols() * outputs, 1, 3).col(0);
            const LinearModel model = model_of(theta, outputs, *after.learnt, {});
            CHECK(model.W.rows() == 6);
            const Vector scores = (after.X.times(theta, outputs) * model.label_deviation).array() + model.label_mean;
            // A score adds up 7 products of numbers of up to about 100.
            CHECK((model.scores(before.X) - scores).cwiseAbs().maxCoeff() < 1e-12 * 100);
            const bool centers = scaling.value == Scaling::standardize || scaling.value == Scaling::minmax;
            CHECK((model.intercept.size() > 0) == (centers || intercept || standardize_labels));
          }
        }
}

}  // namespace lagnet::linear_model_test
