#include <Eigen/SVD>
#include <cmath>

#include "scenarios/data/generators/federated_classification.hpp"
#include "scenarios/data/generators/federated_regression.hpp"
#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/generators/matrix_completion.hpp"
#include "scenarios/data/generators/sparse_regression.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_structured_test {
namespace {

// A sample mean strays by more than five standard errors with probability 6e-7; seeds are fixed, so a test that passes
// once always passes.
constexpr double sigmas = 5;
constexpr double eps = 2.3e-16;

double count(Index n) { return static_cast<double>(n); }

TEST_CASE("sparse regression has its non-zeros at random places, and their values as asked for") {
  SparseRegressionOptions options{.samples = 10, .features = 200, .nonzeros = 7};
  const DataSet ones = load(options, "", 3);
  CHECK(ones.truth->sum() == 7);
  CHECK((ones.truth->array() == 1).count() == 7);
  CHECK(ones.shape.rows == 200);
  CHECK_FALSE(ones.shape.is_matrix);
  options.values = TrueValues::gaussian;
  const Vector drawn = *load(options, "", 3).truth;
  CHECK(((drawn.array() != 0) == (ones.truth->array() != 0)).all());
  CHECK(*load(options, "", 4).truth != drawn);
  options.values = TrueValues::ones;
  CHECK(*load(options, "", 4).truth != *ones.truth);
}

TEST_CASE("sparse regression's labels are X theta and noise") {
  SparseRegressionOptions options{.samples = 900, .features = 40, .nonzeros = 5, .noise = 0, .correlation = 0.5};
  const DataSet exact = load(options, "", 3);
  const Vector fitted = exact.X.times(*exact.truth);
  CHECK((exact.y - fitted).norm() <= 10 * eps * fitted.norm());  // five additions each, in one order or another
  options.noise = 0.25;
  const Vector noise = load(options, "", 3).y - exact.y;
  CHECK(std::abs(noise.squaredNorm() / 900 / 0.0625 - 1) < sigmas * std::sqrt(2.0 / 900));  // a chi-square
}

TEST_CASE("sparse regression's independent features are those of gaussian regression, with the variances asked for") {
  SparseRegressionOptions options{.samples = 30, .features = 5, .nonzeros = 1};
  const Matrix plain = load(options, "", 9).X.dense();
  CHECK(plain == load(GaussianRegressionOptions{.samples = 30, .features = 5}, "", 9).X.dense());
  options.condition_number = 16;
  const Matrix linear = load(options, "", 9).X.dense();
  options.spacing = Spacing::geometric;
  const Matrix geometric = load(options, "", 9).X.dense();
  const Vector variances = (Vector(5) << 1, 4.75, 8.5, 12.25, 16).finished();
  for (Index j = 0; j < 5; ++j) {  // root and product, rounded twice
    CHECK((linear.col(j) - std::sqrt(variances[j]) * plain.col(j)).norm() <= 4 * eps * linear.col(j).norm());
    CHECK((geometric.col(j) - std::exp2(count(j) / 2) * plain.col(j)).norm() <= 4 * eps * geometric.col(j).norm());
  }
}

TEST_CASE("sparse regression's correlation falls geometrically with the distance of features") {
  const Index n = 5000, d = 30;
  const double r = 0.5;
  const Matrix X =
      load(SparseRegressionOptions{.samples = n, .features = d, .nonzeros = 1, .correlation = r}, "", 5).X.dense();
  for (const Index lag : {0, 1, 2, 5}) {
    const double mean = X.leftCols(d - lag).cwiseProduct(X.rightCols(d - lag)).sum() / count(n) / count(d - lag);
    // A product of normals of covariance c has variance 1 + c^2, at most 2, and a row's mean of such no more.
    CHECK(std::abs(mean - std::pow(r, count(lag))) < sigmas * std::sqrt(2 / count(n)));
  }
}

TEST_CASE("what a client has does not depend on how many clients or samples there are") {
  const FederatedRegressionOptions few{.clients = 2, .samples_per_client = 3, .features = 6, .nonzeros = 2};
  const FederatedRegressionOptions many{.clients = 5, .samples_per_client = 4, .features = 6, .nonzeros = 2};
  const LowRankRegressionOptions small{.clients = 2, .samples_per_client = 3, .rows = 2, .columns = 3, .rank = 1};
  const LowRankRegressionOptions large{.clients = 5, .samples_per_client = 4, .rows = 2, .columns = 3, .rank = 1};
  const FederatedClassificationOptions two{.clients = 2, .samples_per_client = 3, .features = 6, .classes = 3};
  const FederatedClassificationOptions five{.clients = 5, .samples_per_client = 4, .features = 6, .classes = 3};
  const auto compare = [](const DataSet& a, const DataSet& b, const DataSet& other) {
    CHECK(a.X.dense().middleRows(3, 3) == b.X.dense().middleRows(4, 3));  // the second client's first three
    CHECK(a.y.segment(3, 3) == b.y.segment(4, 3));
    CHECK((a.X.dense().array() != other.X.dense().array()).all());  // another seed
    CHECK((a.X.dense().row(0).array() != a.X.dense().row(3).array()).all());
  };
  compare(load(few, "", 1), load(many, "", 1), load(few, "", 2));
  compare(load(small, "", 1), load(large, "", 1), load(small, "", 2));
  compare(load(two, "", 1), load(five, "", 1), load(two, "", 2));
}

TEST_CASE("a client's shift is added to all its samples, those for tests as well") {
  const Index K = 40, n = 3, p = 25;
  FederatedRegressionOptions options{
      .clients = K, .samples_per_client = n, .features = p, .nonzeros = 2, .shift = 0, .test_samples_per_client = n};
  const DataSet centered = load(options, "", 7);
  options.shift = 2;
  const DataSet shifted = load(options, "", 7);
  const Matrix shifts = shifted.X.dense() - centered.X.dense();
  const Matrix test_shifts = shifted.test->X.dense() - centered.test->X.dense();
  double squares = 0;
  for (Index k = 0; k < K; ++k)
    for (Index i = 0; i < n; ++i) {  // sums of numbers up to 10, rounded
      CHECK((shifts.row(k * n + i) - shifts.row(k * n)).cwiseAbs().maxCoeff() < 20 * eps);
      CHECK((test_shifts.row(k * n + i) - shifts.row(k * n)).cwiseAbs().maxCoeff() < 20 * eps);
      if (i == 0) squares += shifts.row(k * n).squaredNorm();
    }
  CHECK(std::abs(squares / count(K * p) / 4 - 1) < sigmas * std::sqrt(2 / count(K * p)));  // a chi-square, times 4
  CHECK((centered.X.dense().array() != centered.test->X.dense().array()).all());
}

TEST_CASE("federated regression has the correlation, the truth and the noise of its paper") {
  const Index n = 6000, p = 12;
  const DataSet data =
      load(FederatedRegressionOptions{.clients = 1, .samples_per_client = n, .features = p, .nonzeros = 5, .shift = 0},
           "", 5);
  CHECK(*data.truth == (Vector(p) << Vector::Ones(5), Vector::Zero(7)).finished());
  const Matrix X = data.X.dense();
  for (const Index lag : {0, 1, 3}) {
    const double mean = X.leftCols(p - lag).cwiseProduct(X.rightCols(p - lag)).sum() / count(n) / count(p - lag);
    CHECK(std::abs(mean - std::exp2(-count(lag))) < sigmas * std::sqrt(2 / count(n)));  // as above
  }
  const Vector noise = data.y - X * *data.truth;
  CHECK(std::abs(noise.squaredNorm() / count(n) - 1) < sigmas * std::sqrt(2 / count(n)));
}

TEST_CASE("low rank regression seeks a matrix with ones on a part of its diagonal") {
  const LowRankRegressionOptions options{
      .clients = 3, .samples_per_client = 2, .rows = 3, .columns = 4, .rank = 2, .noise = 0};
  const DataSet data = load(options, "", 1);
  REQUIRE(data.shape.is_matrix);
  CHECK(data.shape.rows == 3);
  CHECK(data.shape.cols == 4);
  const Matrix W = as_matrix(*data.truth, data.shape);
  CHECK(W == (Matrix(3, 4) << 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0).finished());
  // Row by row: entry (1, 1) of a sample is its feature 5.
  CHECK(data.y == Vector(data.X.dense().col(0) + data.X.dense().col(5)));
}

TEST_CASE("observed entries are rows with one entry, scaled so that the Hessian is the identity on average") {
  const Index n = 20000, p = 10;
  const DataSet data =
      load(MatrixCompletionOptions{.size = p, .rank = 3, .observations = n, .omega = 2, .noise = 0}, "", 5);
  const SparseMatrix& X = *data.X.as_sparse();
  CHECK(X.nonZeros() == n);
  CHECK(data.y == data.X.times(*data.truth));
  CHECK(data.truth->cwiseAbs().maxCoeff() == Approx(2.0 / p).epsilon(4 * eps));
  const auto s = Eigen::JacobiSVD<Matrix>(as_matrix(*data.truth, data.shape)).singularValues();
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
      load(MatrixCompletionOptions{.size = 10, .rank = 3, .observations = n, .omega = 2, .noise = 0.25}, "", 5);
  const Vector noise = data.y - data.X.times(*data.truth);  // p times that on an entry
  CHECK(std::abs(noise.squaredNorm() / count(n) / 0.0625 - 1) < sigmas * std::sqrt(2 / count(n)));
}

TEST_CASE("classes lie around their prototypes, shifted by their client's style") {
  FederatedClassificationOptions options{.clients = 30,
                                         .samples_per_client = 4,
                                         .features = 50,
                                         .classes = 3,
                                         .separation = 3,
                                         .style = 0,
                                         .noise = 0,
                                         .test_samples_per_client = 2};
  const DataSet bare = load(options, "", 1);
  options.style = 0.5;
  const Matrix styles = load(options, "", 1).X.dense() - bare.X.dense();
  std::vector<Index> first(3, -1);  // sample of each class
  for (Index i = 0; i < bare.y.size(); ++i) {
    const auto label = static_cast<std::size_t>(bare.y[i]);
    REQUIRE(label < 3);
    if (first[label] < 0) first[label] = i;
    CHECK(bare.X.dense().row(i) == bare.X.dense().row(first[label]));
    CHECK((styles.row(i) - styles.row(i / 4 * 4)).cwiseAbs().maxCoeff() < 10 * eps);  // of sums of size about 1
  }
  for (const Index i : first)
    CHECK(std::abs(bare.X.dense().row(i).squaredNorm() / 9 - 1) < sigmas * std::sqrt(2.0 / 50));
  const double styles_mean = styles.squaredNorm() / 120 / 0.25;  // of 30 chi-squares of 50 degrees, over 50
  CHECK(std::abs(styles_mean - 1) < sigmas * std::sqrt(2.0 / 1500));
  CHECK(bare.test->X.rows() == 60);
}

TEST_CASE("a client's classes come in Dirichlet shares") {
  const double a = 0.5;
  const Index K = 3000, c = 4;
  const DataSet data = load(
      FederatedClassificationOptions{
          .clients = K, .samples_per_client = 2, .features = 1, .classes = c, .concentration = a},
      "", 1);
  double same = 0, zeros = 0;
  for (Index k = 0; k < K; ++k) {
    same += data.y[2 * k] == data.y[2 * k + 1];
    zeros += data.y[2 * k] == 0;
  }
  // Two draws by one client's shares agree with probability sum of E q^2 = (a + 1) / (c a + 1) = 1/2.
  const double p = (a + 1) / (c * a + 1);
  CHECK(std::abs(same / K - p) < sigmas * std::sqrt(p * (1 - p) / K));
  CHECK(std::abs(zeros / K - 0.25) < sigmas * std::sqrt(0.25 * 0.75 / K));
}

}  // namespace
}  // namespace lagnet::data_structured_test
