#include "scenarios/assembly/recorded_metrics.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "algorithms/kernels/row_block.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "scenarios/format/kinds/metric_kinds.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::metrics_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// The value of a metric of an iterate, with all that it may need.
struct Known {
  DataSet data{.X = DataMatrix(Matrix::Zero(1, 1)), .y = Vector::Zero(1), .samples = 1, .truth = {}, .origin = "x"};
  Problem problem;
  Optimum optimum{.theta = {}, .value = 0, .certificate = {CertificateKind::duality_gap, 0, "test"}};

  Known() { problem.loss = make_loss(SquaredOptions{}); }
  Known& features(Index d) {
    data.X = DataMatrix(Matrix::Zero(1, d));
    problem.shape = IterateShape::vector(d);
    return *this;
  }
  Known& matrix(Index rows, Index cols) {
    features(rows * cols);
    problem.shape = IterateShape::matrix(rows, cols);
    return *this;
  }
  Known& truth(Vector theta) {
    data.truth = std::move(theta);
    return *this;
  }
  template <class Options>
  std::optional<double> value(const Options& options, const Vector& theta, double objective = 0) const {
    return Choice<MetricFamily>(options).make().value(MetricInput(theta, objective, data, problem, &optimum));
  }
};

Vector vector(std::initializer_list<double> entries) {
  return VectorView(entries.begin(), static_cast<Index>(entries.size()));
}

TEST_CASE("errors to the truth are norms of the difference") {
  Known known;
  known.features(3).truth(vector({1, 0, -2}));
  const Vector theta = vector({1, 3, 2});
  CHECK(known.value(L1ErrorOptions{}, theta) == 7.0);
  CHECK(known.value(L2ErrorOptions{}, theta) == 5.0);
}

TEST_CASE("matrix errors are the Frobenius and the operator norm") {
  Known known;
  known.matrix(2, 3).truth(vector({0, 1, 0, 0, 0, 0}));
  const Vector theta = vector({3, 1, 0, 0, 0, 4});  // the difference has the singular values 4 and 3
  CHECK(*known.value(FrobeniusErrorOptions{}, theta) == Approx(5).epsilon(4 * eps));
  CHECK(*known.value(OperatorErrorOptions{}, theta) == Approx(4).epsilon(8 * eps));
}

TEST_CASE("the support's F1 counts entries above the threshold, and is 0 where none is right") {
  Known known;
  known.features(5).truth(vector({1, 1, 0, 0, 0}));
  CHECK(known.value(SupportF1Options{}, vector({9, 0.01, 0.02, 0, -1})) == 2.0 * 1 / (3 + 2));  // 0.01 is not above
  CHECK(known.value(SupportF1Options{.threshold = 0}, vector({9, 0.01, 0.02, 0, -1})) == 2.0 * 2 / (4 + 2));
  CHECK(known.value(SupportF1Options{}, vector({-1, -1, 0, 0, 0})) == 1.0);
  CHECK(known.value(SupportF1Options{}, vector({0, 0, 1, 1, 1})) == 0.0);
  CHECK(known.value(SupportF1Options{}, Vector::Zero(5)) == 0.0);
}

TEST_CASE("non-zeros are exact unless a threshold is given") {
  Known known;
  known.features(4);
  CHECK(known.value(NonZerosOptions{}, vector({0, 1e-300, -0.5, 2})) == 3.0);
  CHECK(known.value(NonZerosOptions{.threshold = 0.5}, vector({0, 1e-300, -0.5, 2})) == 1.0);
}

TEST_CASE("the rank ignores rounding, and counts values slightly above it") {
  Known known;
  known.matrix(3, 2);
  CHECK(known.value(RankOptions{}, Vector::Zero(6)) == 0.0);
  CHECK(known.value(RankOptions{}, vector({1, 2, 2, 4, 3, 6})) == 1.0);
  CHECK(known.value(RankOptions{}, vector({1, 0, 0, 1e-12, 0, 0})) == 2.0);
  CHECK(known.value(RankOptions{}, vector({1, 0, 0, 1e-16, 0, 0})) == 1.0);  // below 3 ulp(1) = 6.7e-16
}

TEST_CASE("losses and residuals are means over the training and the test samples") {
  Known known;
  known.features(2);
  known.data.X = DataMatrix((Matrix(2, 2) << 1, 0, 1, 1).finished());
  known.data.y = vector({1, 1});
  known.data.samples = 2;
  known.data.test = std::make_shared<const DataSet>(DataSet{
      .X = DataMatrix((Matrix(1, 2) << 0, 2).finished()), .y = vector({1}), .samples = 1, .truth = {}, .origin = "t"});
  const Vector theta = vector({3, 1});  // residuals 2 and 3, for the test 1
  CHECK(known.value(MeanSquaredResidualOptions{}, theta) == 6.5);
  CHECK(known.value(TrainLossOptions{}, theta) == 3.25);  // the squared loss has a factor 1/2
  CHECK(known.value(TestMeanSquaredResidualOptions{}, theta) == 1.0);
  CHECK(known.value(TestLossOptions{}, theta) == 0.5);
  known.problem.loss = make_loss(HuberOptions{.threshold = 1});
  CHECK(*known.value(TrainLossOptions{}, theta) == Approx((1.5 + 2.5) / 2).epsilon(4 * eps));  // |a| - 1/2
}

TEST_CASE("a single score says one of two classes, several the place of the largest, the first of equals") {
  Known known;
  known.features(1);
  known.data.X = DataMatrix((Matrix(4, 1) << 2, -1, 0, 3).finished());
  known.data.y = vector({1, -1, 1, -1});
  CHECK(known.value(AccuracyOptions{}, vector({1})) == 0.75);  // a score of 0 counts as 1
  CHECK(known.value(AccuracyOptions{}, vector({-1})) == 0.5);
  known.data.y = vector({2, 0, 0, 1});
  known.problem.shape = IterateShape::matrix(1, 3);
  // Scores x (1, 0, 2): class 2 for x > 0, class 1 for x = -1 (scores -1, 0, -2), class 0 for x = 0.
  CHECK(known.value(AccuracyOptions{}, vector({1, 0, 2})) == 0.5);
}

TEST_CASE("the scores of a sample are adjacent, for any features") {
  Known known;
  known.data.X = DataMatrix((Matrix(2, 2) << 1, 0, 2, -1).finished());
  known.data.y = vector({0, 0});
  known.problem.shape = IterateShape::matrix(2, 3);
  const Vector theta = vector({1, 2, 3, 10, 20, 30});
  const MetricInput input(theta, 0, known.data, known.problem, nullptr);
  CHECK(input.outputs() == 3);
  CHECK(input.train_scores() == vector({1, 2, 3, 2 - 10, 4 - 20, 6 - 30}));
}

TEST_CASE("gap and distance to the optimum are empty without a certificate") {
  Known known;
  known.features(2);
  known.optimum = {.theta = vector({1, 1}), .value = 2, .certificate = {CertificateKind::duality_gap, 1e-12, "test"}};
  CHECK(known.value(OptimumGapOptions{}, vector({4, 5}), 2.5) == 0.5);
  CHECK(known.value(DistanceToOptimumOptions{}, vector({4, 5})) == 5.0);
  known.optimum.certificate.relative = 1e-3;
  CHECK(known.value(OptimumGapOptions{}, vector({4, 5}), 2.5) == std::nullopt);
  CHECK(known.value(DistanceToOptimumOptions{}, vector({4, 5})) == std::nullopt);
}

TEST_CASE("local ratios take each sample's loss at its own agent's iterate, and test losses of all agents") {
  Known known;
  known.features(2);
  known.data.X = DataMatrix(Matrix{{1, 0}, {0, 1}, {1, 1}});
  known.data.y = vector({1, 2, 3});
  known.data.samples = 3;
  DataSet test = known.data;
  test.X = DataMatrix(Matrix{{2, 0}});
  test.y = vector({1});
  test.samples = 1;
  known.data.test = std::make_shared<const DataSet>(std::move(test));
  known.optimum.theta = vector({0, 0});  // residuals 1, 2, 3: losses 7 in sum
  const auto rows = std::make_shared<const SampleRows>(known.data.X, known.data.y);
  const std::vector<RowBlock> samples = {RowBlock(rows, 0, 2), RowBlock(rows, 2, 1)};
  const std::vector<std::vector<Vector>> report = {{vector({3, 0})}, {vector({0, 1}), vector({9, 9})}};
  const LocalIterates local{.report = report, .samples = samples};
  const auto value = [&](const auto& options) {
    return Choice<MetricFamily>(options).make().value(
        MetricInput(known.optimum.theta, 0, known.data, known.problem, &known.optimum, &local));
  };
  CHECK(*value(LocalTrainRatioOptions{}) == Approx((2 + 2 + 2) / 7.0).epsilon(4 * eps));            // residuals 2, 2, 2
  CHECK(*value(LocalTestRatioOptions{}) == Approx((12.5 + 0.5) / 2 / (7.0 / 3)).epsilon(4 * eps));  // 5 and 1
  known.optimum.certificate.relative = 1e-3;
  CHECK(value(LocalTrainRatioOptions{}) == std::nullopt);
  CHECK(value(LocalTestRatioOptions{}) == std::nullopt);
}

TEST_CASE("recorded metrics are columns after the algorithm's own, for the iterate of the objective") {
  const Experiment assembly = assembled(R"({"record": {"metrics": ["l2_error", {"kind": "non_zeros"},
      {"kind": "non_zeros", "threshold": 0.1, "column": "large"}, "optimum_gap", "mean_squared_residual"]}})");
  const Outcome outcome = run(assembly);
  const auto columns = progress_columns(assembly);
  const auto own = assembly.algorithm->metric_names().size();
  REQUIRE(columns[4 + own] == "l2_error");
  CHECK(columns[6 + own] == "large");
  CHECK(columns[9 + own] == "messages");
  for (const Row& row : outcome.rows) {
    REQUIRE(row.metrics.size() == own + 5);
    CHECK(progress_cells(row).size() == columns.size());
    CHECK(*row.metrics[own + 3] == *row.objective - assembly.optimum->value);
  }
  CHECK(*outcome.rows[0].metrics[own] == assembly.data->truth->norm());  // it starts at 0
  CHECK(*outcome.rows[0].metrics[own + 1] == 0);
  CHECK(*outcome.rows[0].metrics[own + 4] == assembly.data->y.squaredNorm() / 20);
  CHECK(summary(assembly, outcome)["last_row"]["large"] == *outcome.rows.back().metrics[own + 2]);
}

TEST_CASE("metrics see the iterate in the data's order where the partition has another") {
  const std::string metrics =
      R"("record": {"every": 12, "metrics": ["l2_error", "train_loss", "distance_to_optimum"]})";
  const Experiment assembly = assembled(R"({"partition": {"kind": "shuffled_features"},
      "data": {"nonzeros": 2, "noise": 0}, "stop": {"rounds": 4000},
      "problem": {"regularizer": {"kind": "none", "weight": null}}, )" +
                                        metrics + "}");
  REQUIRE_FALSE(assembly.partition.order.empty());
  const Outcome outcome = run(assembly);
  const auto own = assembly.algorithm->metric_names().size();
  const auto& last = outcome.rows.back().metrics;
  // Without noise and regularizer the optimum is the truth, to which the run converges.
  CHECK(*last[own] < 1e-2 * assembly.data->truth->norm());
  CHECK(*last[own + 2] < 1e-2 * assembly.data->truth->norm());
  CHECK(*last[own + 1] == Approx(*outcome.rows.back().objective).epsilon(1e-9));  // sums in another order
}

TEST_CASE("a metric with missing data is a problem at its key") {
  const auto problems = [](const std::string& changes) { return scenario_problems([&] { assembled(changes); }); };
  CHECK(problems(R"({"data": {"scaling": "standardize"}, "record": {"metrics": ["non_zeros", "l2_error"]}})") ==
        "small.json: /record/metrics/1: expected a metric that needs no true coefficients, which these data do not "
        "have, found gaussian_regression, 20 x 7, seed 1, standardize");
  CHECK(problems(R"({"record": {"metrics": ["rank", "test_loss", "accuracy"]}})")
            .starts_with("small.json: /record/metrics/0: expected a metric of vectors, since the iterate is no matrix, "
                         "found 7 numbers\n"
                         "small.json: /record/metrics/1: expected a metric that needs no test samples, or data with "
                         "some (test_fraction, test_samples, test_path), found none\n"
                         "small.json: /record/metrics/2: expected labels -1 and 1 for a metric of classes, found "));
  CHECK(problems(R"({"record": {"metrics": ["local_train_ratio"]}})") ==
        "small.json: /record/metrics/0: expected a metric of one iterate, since agents have none of their own, found a "
        "metric of agents' iterates");
  CHECK(problems(R"({"record": {"optimum": false, "metrics": ["optimum_gap"]}})") ==
        "small.json: /record/metrics/0: expected record.optimum to be true, which it needs, found false");
  CHECK(problems(R"({"record": {"metrics": ["l2_error", "l2_error", {"kind": "l1_error", "column": "bytes"}]}})") ==
        "small.json: /record/metrics/1: expected a column that is not there already; \"column\" gives it another name, "
        "found l2_error\n"
        "small.json: /record/metrics/2: expected a column that is not there already; \"column\" gives it another name, "
        "found bytes");
  for (const std::string column : {"point", "stop", "trace_hash", "/seed"}) {  // of sweep.csv
    const Json metrics = {{{"kind", "l2_error"}, {"column", column}}};
    CHECK(
        problems(Json{{"record", {{"metrics", metrics}}}}.dump()).ends_with("gives it another name, found " + column));
  }
  CHECK(problems(R"({"record": {"metrics": [{"kind": "l2_error", "column": ""}]}})") ==
        "small.json: /record/metrics/0/column: expected a name, or null, found \"\"");
  CHECK(problems(R"({"record": {"metrics": ["l2_eror"]}})").ends_with("did you mean l2_error?"));
  CHECK(problems(R"({"record": {"metrics": ["l2_eror"]}})").starts_with("small.json: /record/metrics/0: expected one"));
  CHECK(problems(R"({"numerics": "off", "record": {"metrics": ["non_zeros"]}})") ==
        "small.json: /record/metrics: expected no metrics with numerics off: there are no iterates, found 1");
}

TEST_CASE("accuracies are shares of the samples beside the tests, and of the tests") {
  const std::string data = R"("data": {"source": "gaussian_classification", "noise": 0, "test_samples": 5},
      "problem": {"loss": {"kind": "logistic"}, "regularizer": {"kind": "l2", "weight": 0.01}},
      "stop": {"rounds": 500}, )";
  const Experiment assembly = assembled("{" + data + R"("record": {"metrics": ["accuracy", "test_accuracy"]}})");
  CHECK(assembly.data->y.size() == 15);
  CHECK(assembly.data->test->y.size() == 5);
  const Outcome outcome = run(assembly);
  const auto own = assembly.algorithm->metric_names().size();
  CHECK(*outcome.rows.back().metrics[own] == 1);  // separable, and hardly regularized
  const double tests = 5 * *outcome.rows.back().metrics[own + 1];
  CHECK(tests == std::round(tests));
}

}  // namespace
}  // namespace lagnet::metrics_test
