#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/assembly/load_data.hpp"
#include "scenarios/data/generators/federated_regression.hpp"
#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/preprocess.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

/// Samples that are kept apart for tests.
namespace lagnet::preprocess_test_sets_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Rows whose label is their number.
DataSet numbered(Index rows, bool sparse = false) {
  DataSet data = load(GaussianRegressionOptions{.samples = rows, .features = 3}, 1);
  if (sparse) data.X = DataMatrix(SparseMatrix(data.X.dense().sparseView()));
  data.y = Vector::LinSpaced(rows, 0, static_cast<double>(rows - 1));
  data.origin = "x";
  return data;
}

TEST_CASE("drawn test rows and the others are all rows, each once and in their order") {
  for (const bool sparse : {false, true}) {
    const DataSet whole = numbered(50, sparse);
    const DataSet data = preprocess(whole, {.test_samples = 20}, 1);
    REQUIRE(data.test);
    CHECK(data.samples == 30);
    CHECK(data.test->samples == 20);
    CHECK(data.origin == "x, less 20 random rows for tests");
    Vector all(50);
    all << data.y, data.test->y;
    CHECK(std::is_sorted(data.y.begin(), data.y.end()));
    CHECK(std::is_sorted(data.test->y.begin(), data.test->y.end()));
    std::sort(all.begin(), all.end());
    CHECK(all == whole.y);
    for (const DataSet* part : {&data, data.test.get()})
      for (Index i = 0; i < part->y.size(); ++i)
        CHECK(part->X.dense().row(i) == whole.X.dense().row(static_cast<Index>(part->y[i])));
    CHECK(preprocess(whole, {.test_samples = 20}, 2).test->y != data.test->y);
    CHECK(preprocess(whole, {.test_fraction = 0.4}, 1).test->y == data.test->y);
  }
  CHECK(preprocess(numbered(50), {.test_fraction = 0.001}, 1).test->samples == 1);
}

TEST_CASE("test rows are drawn from the rows that max_samples keeps") {
  const DataSet data = preprocess(numbered(50), {.max_samples = 10, .test_samples = 4}, 1);
  CHECK(data.samples == 6);
  CHECK(std::max(data.y.maxCoeff(), data.test->y.maxCoeff()) == 9);
}

TEST_CASE("a test set must leave samples, and there is one only") {
  const auto problems = [](DataSet data, const PreprocessOptions& options) {
    return problems_of("", [&] { preprocess(std::move(data), options, 1); });
  };
  CHECK(problems(numbered(5), {.test_samples = 5}) ==
        Texts{"x: expected more than 5 rows, since 5 are for tests, found 5"});
  const DataSet both = load(
      FederatedRegressionOptions{
          .clients = 2, .samples_per_client = 3, .features = 2, .nonzeros = 1, .test_samples_per_client = 1},
      1);
  CHECK(problems(both, {.test_samples = 1})[0].ends_with(
      "expected no test rows, since the data have a test set of their own, found some"));
}

TEST_CASE("scalings are learnt from the samples that are not for tests") {
  for (const bool sparse : {false, true})
    for (const Scaling scaling : {Scaling::standardize, Scaling::minmax, Scaling::max_abs}) {
      const DataSet split = preprocess(numbered(40, sparse), {.test_samples = 15}, 1);
      const DataSet data = preprocess(
          numbered(40, sparse), {.test_samples = 15, .scaling = scaling, .factor = 2, .standardize_labels = true}, 1);
      const Matrix before = split.X.dense(), after = data.X.dense();
      const Matrix test_before = split.test->X.dense(), test_after = data.test->X.dense();
      for (Index j = 0; j < 3; ++j) {
        // A straight line through two training samples of the column leads the test samples where they are.
        const double slope = (after(1, j) - after(0, j)) / (before(1, j) - before(0, j));
        const Vector line = (after(0, j) + slope * (test_before.col(j).array() - before(0, j))).matrix();
        // Rounding of numbers of size one, divided by a difference that is no smaller than a hundredth here.
        CHECK((line - test_after.col(j)).cwiseAbs().maxCoeff() < 1e4 * eps);
      }
      const Vector labels = (split.test->y.array() - split.y.mean()).matrix();
      const double deviation = std::sqrt((split.y.array() - split.y.mean()).square().mean());
      CHECK((data.test->y - labels / deviation).cwiseAbs().maxCoeff() < 32 * eps);  // of numbers up to 3
      CHECK(std::abs(data.y.mean()) < 32 * eps);
    }
}

TEST_CASE("a column that is constant beside the tests becomes zero in them, too") {
  DataSet data = numbered(3);
  data.test = std::make_shared<const DataSet>(numbered(2));
  Matrix X = data.X.dense();
  X.col(1).setConstant(7);
  data.X = DataMatrix(X);
  for (const Scaling scaling : {Scaling::standardize, Scaling::minmax})
    CHECK(preprocess(data, {.scaling = scaling}, 1).test->X.dense().col(1) == Vector::Zero(2));
}

TEST_CASE("classes are numbered in ascending order, in the test set by the same list") {
  DataSet data = numbered(4);
  data.y << 7, -1, 7, 2.5;
  data.test = std::make_shared<const DataSet>(numbered(2));
  CHECK(problems_of("", [&] { preprocess(data, {.labels = LabelRule::classes}, 1); }) ==
        Texts{"x: expected only labels that occur beside the test set, found 2: 0, 1"});
  DataSet test = numbered(2);
  test.y << 2.5, -1;
  data.test = std::make_shared<const DataSet>(test);
  const DataSet done = preprocess(data, {.labels = LabelRule::classes}, 1);
  CHECK(done.y == (Vector(4) << 2, 0, 2, 1).finished());
  CHECK(done.test->y == (Vector(2) << 1, 0).finished());
  CHECK(done.origin == "x, labels to classes 0 to 2");
  CHECK_FALSE(done.truth);
}

TEST_CASE("an intercept is added to the test set as well, and to the shape of a vector") {
  DataSet data = numbered(5);
  data.shape = IterateShape::vector(3);
  const DataSet done = preprocess(data, {.test_samples = 2, .intercept = true}, 1);
  CHECK(done.shape.rows == 4);
  CHECK(done.test->X.dense().col(3) == Vector::Ones(2));
  data.shape = IterateShape::matrix(3, 1);
  CHECK(problems_of("", [&] { preprocess(data, {.intercept = true}, 1); }) ==
        Texts{"x: expected no intercept where the coefficients are a matrix, found 3 x 1 coefficients"});
}

TEST_CASE("a test file is read as the other one, with as many features") {
  const TestFolder folder;
  folder.write("train.svm", "1 1:2 3:4\n-1 2:1\n");
  folder.write("test.svm", "1 1:8\n");
  folder.write("wide.svm", "1 4:8\n");
  const auto loaded = [&](const std::string& more) {
    return load_data(read_scenario(small_scenario(
        R"({"data": {"source": "libsvm", "path": "train.svm", "samples": null, "features": null, )" + more + "}}",
        folder.path())));
  };
  const DataSet data = loaded(R"("test_path": "test.svm", "scaling": "max_abs")");
  REQUIRE(data.test);
  CHECK(data.test->X.dense() == (Matrix(1, 3) << 4, 0, 0).finished());
  CHECK(data.origin == "train.svm, tests in test.svm, max_abs");
  CHECK(problems_of(folder.path(), [&] { loaded(R"("test_path": "wide.svm")"); }) ==
        Texts{"wide.svm:1: expected an index from 1 to 3, found \"4:8\""});
}

TEST_CASE("test_path needs a file, and excludes other test sets") {
  const auto problems = [](const std::string& data) {
    return scenario_problems([&] { load_data(read_scenario(small_scenario(R"({"data": {)" + data + "}}"))); });
  };
  CHECK(problems(R"("test_path": "x")")
            .ends_with("/data/test_path: expected null, since this source does not read samples with their labels from "
                       "one file, found gaussian_regression"));
  CHECK(problems(R"("test_samples": 3, "test_fraction": 0.5)") ==
        "small.json: /data: expected at most one of test_fraction, test_samples and test_path, found more");
}

}  // namespace
}  // namespace lagnet::preprocess_test_sets_test
