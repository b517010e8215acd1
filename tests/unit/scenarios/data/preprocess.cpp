#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/generators/rotated.hpp"
#include "scenarios/data/preprocess.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_preprocess_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

DataSet example(bool sparse = false) {
  // The third column is constant and the fourth zero; the last row is zero but for the constant.
  const Matrix X = (Matrix(4, 4) << 1, 0, 0.1, 0, -3, 2, 0.1, 0, 5, 0, 0.1, 0, 0, 0, 0.1, 0).finished();
  return {.X = sparse ? DataMatrix(SparseMatrix(X.sparseView())) : DataMatrix(X),
          .y = Eigen::Vector4d(1, 2, 2, 1),
          .samples = 4,
          .truth = Vector(Eigen::Vector4d(1, 2, 3, 4)),
          .origin = "x"};
}

Texts problems(DataSet data, const PreprocessOptions& options) {
  return problems_of("", [&] { preprocess(std::move(data), options, 1); });
}

TEST_CASE("nothing is done unless asked for") {
  const DataSet data = preprocess(example(), {}, 1);
  CHECK(data.X.dense() == example().X.dense());
  CHECK(data.y == example().y);
  CHECK(data.truth == example().truth);
  CHECK(data.origin == "x");
}

TEST_CASE("standardized columns have mean 0 and variance 1, constant ones become 0") {
  for (const bool sparse : {false, true}) {
    const DataSet data = preprocess(example(sparse), {.scaling = Scaling::standardize}, 1);
    const Matrix X = data.X.dense();
    CHECK_FALSE(data.X.is_sparse());
    for (Index j = 0; j < 2; ++j) {
      CHECK(std::abs(X.col(j).mean()) < 4 * eps);  // four summands of size about 1
      CHECK(X.col(j).squaredNorm() / 4 == Approx(1).epsilon(8 * eps));
    }
    CHECK(X.rightCols(2).isZero(0));
    CHECK_FALSE(data.truth.has_value());
    CHECK(data.origin == "x, standardize");
  }
}

TEST_CASE("minmax takes columns to [-1, 1], constant ones to 0") {
  const Matrix X = preprocess(example(), {.scaling = Scaling::minmax}, 1).X.dense();
  const Matrix expected = (Matrix(4, 4) << 0, -1, 0, 0, -1, 1, 0, 0, 1, -1, 0, 0, -0.25, -1, 0, 0).finished();
  CHECK((X - expected).cwiseAbs().maxCoeff() <= 2 * eps);
}

TEST_CASE("unit rows have length 1 and zero rows stay zero") {
  for (const bool sparse : {false, true}) {
    DataSet data = example(sparse);
    data = preprocess(std::move(data), {.scaling = Scaling::unit_rows}, 1);
    CHECK(data.X.is_sparse() == sparse);
    CHECK((data.X.dense().rowwise().norm().array() - 1).abs().maxCoeff() < 4 * eps);
    CHECK(data.X.dense()(3, 2) == 1);
    Matrix zero_row = Matrix::Ones(2, 2);
    zero_row.row(1).setZero();
    DataSet other{.X = sparse ? DataMatrix(SparseMatrix(zero_row.sparseView())) : DataMatrix(zero_row),
                  .y = Vector::Ones(2),
                  .samples = 2,
                  .truth = std::nullopt,
                  .origin = "z"};
    CHECK(preprocess(std::move(other), {.scaling = Scaling::unit_rows}, 1).X.dense().row(1).isZero(0));
  }
}

TEST_CASE("max_abs divides columns by their largest absolute value and keeps X theta") {
  for (const bool sparse : {false, true}) {
    const DataSet data = preprocess(example(sparse), {.scaling = Scaling::max_abs}, 1);
    CHECK(data.X.is_sparse() == sparse);
    CHECK(data.X.dense().cwiseAbs().colwise().maxCoeff() == Eigen::RowVector4d(1, 1, 1, 0));
    const Vector fitted = data.X.times(*data.truth);
    CHECK((fitted - example().X.times(*example().truth)).norm() < 8 * eps * fitted.norm());
  }
}

TEST_CASE("a factor multiplies X after the scaling and keeps X theta") {
  for (const bool sparse : {false, true}) {
    const DataSet data = preprocess(example(sparse), {.scaling = Scaling::max_abs, .factor = 4}, 1);
    CHECK(data.X.dense().cwiseAbs().maxCoeff() == 4);
    CHECK(data.truth->isApprox(Vector(Eigen::Vector4d(5, 4, 0.3, 4) / 4), 4 * eps));
    CHECK(data.origin == "x, max_abs, times 4");
  }
}

TEST_CASE("an intercept is a last column of ones with a true coefficient of zero") {
  for (const bool sparse : {false, true}) {
    const DataSet data = preprocess(example(sparse), {.scaling = Scaling::max_abs, .factor = 4, .intercept = true}, 1);
    CHECK(data.X.is_sparse() == sparse);
    REQUIRE(data.X.cols() == 5);
    if (sparse) CHECK(data.X.as_sparse()->isCompressed());
    CHECK(data.X.dense().col(4) == Vector::Ones(4));
    CHECK(data.X.dense()(2, 0) == 4);
    CHECK((*data.truth)[4] == 0);
  }
}

TEST_CASE("an intercept may hold another number than one") {
  for (const bool sparse : {false, true}) {
    const DataSet data = preprocess(example(sparse), {.factor = 4, .intercept = true, .intercept_value = 10}, 1);
    CHECK(data.X.dense().col(4) == Vector(Vector::Constant(4, 10)));
    CHECK(data.origin == "x, times 4, intercept 10");
  }
}

TEST_CASE("centered labels have mean 0") {
  CHECK(preprocess(example(), {.center_labels = true}, 1).y == Eigen::Vector4d(-0.5, 0.5, 0.5, -0.5));
}

TEST_CASE("sign maps the smaller of two labels to -1 and says so") {
  const DataSet data = preprocess(example(), {.labels = LabelRule::sign}, 1);
  CHECK(data.y == Eigen::Vector4d(-1, 1, 1, -1));
  CHECK(data.origin == "x, labels 1 to -1 and 2 to 1");
  DataSet signs = example();
  signs.y = Eigen::Vector4d(1, -1, -1, 1);
  CHECK(preprocess(signs, {.labels = LabelRule::sign}, 1).origin == "x");
}

TEST_CASE("sign wants exactly two labels and names those found") {
  DataSet data = example();
  data.y = Eigen::Vector4d(3, 1, 2.5, 1);
  CHECK(problems(data, {.labels = LabelRule::sign}) ==
        Texts{"x: expected exactly two different labels for labels sign, found 3: 1, 2.5, 3"});
  data.y.setOnes();
  CHECK(problems(data, {.labels = LabelRule::sign}) ==
        Texts{"x: expected exactly two different labels for labels sign, found 1: 1"});
  DataSet regression = load(GaussianRegressionOptions{.samples = 20, .features = 1}, 1);
  CHECK(problems(regression, {.labels = LabelRule::sign})[0].ends_with(", ..."));
}

TEST_CASE("a label map must cover every label") {
  const PreprocessOptions options{.labels = LabelRule::map, .label_map = {{2, -1}, {1, 7}}};
  CHECK(preprocess(example(), options, 1).y == Eigen::Vector4d(7, -1, -1, 7));
  DataSet data = example();
  data.y = Eigen::Vector4d(1, 5, 2, 4);
  CHECK(problems(data, options) == Texts{"x: expected only labels that label_map has in from, found 2: 4, 5"});
}

TEST_CASE("max_samples keeps the first rows or random ones in the order of the file") {
  for (const bool sparse : {false, true}) {
    const DataSet first = preprocess(example(sparse), {.max_samples = 2}, 1);
    CHECK(first.X.dense() == example().X.dense().topRows(2));
    CHECK(first.X.is_sparse() == sparse);
    CHECK(first.y == example().y.head(2));
    CHECK(first.samples == 2);
    CHECK(first.origin == "x, first 2 rows");
    CHECK(preprocess(example(sparse), {.max_samples = 9}, 1).X.rows() == 4);
  }
  DataSet numbered = load(GaussianRegressionOptions{.samples = 50, .features = 2}, 1);
  const Matrix X = numbered.X.dense();
  numbered.y = Vector::LinSpaced(50, 0, 49);
  const PreprocessOptions options{.max_samples = 10, .choose_samples = RowChoice::random};
  const DataSet chosen = preprocess(numbered, options, 1);
  REQUIRE(chosen.y.size() == 10);
  CHECK(std::is_sorted(chosen.y.begin(), chosen.y.end()));
  for (Index i = 0; i < 10; ++i) CHECK(chosen.X.dense().row(i) == X.row(static_cast<Index>(chosen.y[i])));
  CHECK(preprocess(numbered, options, 2).y != chosen.y);
}

TEST_CASE("rows that are not samples take no preprocessing but a factor") {
  const DataSet data = load(RotatedRegressionOptions{.samples = 50, .features = 3, .noise = 0}, 1);
  const DataSet doubled = preprocess(data, {.factor = 2}, 1);
  CHECK(doubled.X.dense() == 2 * data.X.dense());
  CHECK(doubled.samples == 50);
  for (const PreprocessOptions& options :
       {PreprocessOptions{.scaling = Scaling::standardize}, PreprocessOptions{.center_labels = true},
        PreprocessOptions{.intercept = true}, PreprocessOptions{.max_samples = 2}}) {
    CHECK(problems(data, options)[0].ends_with(
        "expected one row for each sample, or no preprocessing other than factor, found 50 samples reduced to 4 rows"));
  }
}

TEST_CASE("a huge sparse matrix is not made dense") {
  SparseMatrix X(100000, 100000);
  X.insert(0, 0) = 1;
  X.makeCompressed();
  const DataSet data{
      .X = DataMatrix(X), .y = Vector::Zero(100000), .samples = 100000, .truth = std::nullopt, .origin = "x"};
  CHECK(problems(data, {.scaling = Scaling::standardize}) ==
        Texts{"x: expected a scaling that keeps sparse data sparse (max_abs, unit_rows), found one that makes 100000 x "
              "100000 dense"});
}

}  // namespace
}  // namespace lagnet::data_preprocess_test
