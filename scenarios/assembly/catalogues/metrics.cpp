#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/assembly/catalogues/python_parts.hpp"
#include "scenarios/assembly/metric.hpp"
#include "scenarios/data/coupling.hpp"
#include "scenarios/data/linear_model.hpp"
#include "scenarios/format/kinds/metric_kinds.hpp"
#include "sim/numerics/decompositions.hpp"

namespace lagnet {

namespace {

/// Descending.
Vector values_of(const Vector& theta, IterateShape shape) {
  return singular_values_by_rotations(as_matrix(theta, shape));
}

Vector error(const MetricInput& input) { return input.iterate() - input.truth(); }

/// Of the loss of one sample; n is the nominal number, which reduced data have fewer rows than.
double mean_loss(const MetricInput& input, const Vector& scores, const DataSet& samples) {
  return input.loss().total(scores, samples.y) / static_cast<double>(samples.samples);
}

/// The mean loss of the central optimum; nothing if it is not certified or has none.
std::optional<double> optimum_loss(const MetricInput& input) {
  if (!input.optimum().certified()) return std::nullopt;
  const double loss = mean_loss(input, input.scores_of(input.optimum().theta, input.train()), input.train());
  return loss > 0 ? std::optional(loss) : std::nullopt;
}

double local_train_loss(const MetricInput& input) {
  const auto& [report, samples] = input.local();
  double sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) sum += samples[i].loss(input.loss(), report[i].front());
  return sum / static_cast<double>(input.train().samples);
}

double local_test_loss(const MetricInput& input) {
  const RoundReport report = input.local().report;
  double sum = 0;
  for (const auto& parts : report) sum += mean_loss(input, input.scores_of(parts.front(), input.test()), input.test());
  return sum / static_cast<double>(report.size());
}

double mean_squared(const Vector& scores, const DataSet& samples) {
  return (scores - samples.y).squaredNorm() / static_cast<double>(samples.samples);
}

double share_right(const Vector& scores, const Vector& labels, Index c) {
  const Index n = labels.size();
  Index right = 0;
  for (Index i = 0; i < n; ++i) right += class_of(scores.segment(i * c, c)) == labels[i];
  return static_cast<double>(right) / static_cast<double>(n);
}

double support_f1(const Vector& theta, const Vector& truth, double threshold) {
  const auto estimated = (theta.array().abs() > threshold).eval();
  const auto real = (truth.array() != 0).eval();
  const auto both = static_cast<double>((estimated && real).count());
  return both == 0 ? 0 : 2 * both / static_cast<double>(estimated.count() + real.count());
}

double rank(const Vector& theta, IterateShape shape) {
  const Vector s = values_of(theta, shape);
  const double ulp = std::nextafter(s[0], std::numeric_limits<double>::infinity()) - s[0];
  const double tolerance = static_cast<double>(std::max(shape.rows, shape.cols)) * ulp;
  return static_cast<double>((s.array() > tolerance).count());
}

/// measure(scores, labels) of the samples of each agent that holds some.
template <class Measure>
std::vector<double> of_agents(const MetricInput& input, Measure&& measure) {
  std::vector<double> values;
  const Index c = input.outputs();
  if (input.has_local()) {
    const auto& [report, samples] = input.local();
    for (std::size_t k = 0; k < samples.size(); ++k)
      if (samples[k].rows() > 0)
        values.push_back(measure(samples[k].scores(report[k].front(), c), samples[k].labels()));
    return values;
  }
  const auto& [order, starts] = input.held();
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    const Index rows = starts[k + 1] - starts[k];
    if (rows == 0) continue;
    Vector scores(rows * c), labels(rows);
    for (Index i = 0; i < rows; ++i) {
      const Index place = starts[k] + i, row = order.empty() ? place : order[static_cast<std::size_t>(place)];
      scores.segment(i * c, c) = input.train_scores().segment(row * c, c);
      labels[i] = input.train().y[row];
    }
    values.push_back(measure(scores, labels));
  }
  return values;
}

constexpr int tenths = 10;
std::vector<std::string> names_of_deciles() {
  std::vector<std::string> names{"least"};
  for (int k = 1; k < tenths; ++k) names.push_back("decile_" + std::to_string(k));
  names.emplace_back("largest");
  return names;
}
std::vector<double> deciles(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<double> all;
  for (int k = 0; k <= tenths; ++k) {
    const double place = static_cast<double>(k) / tenths * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    all.push_back(std::lerp(values[below], values[above], place - static_cast<double>(below)));
  }
  return all;
}

MadeMetric make_metric(const LocalLossOptions&) {
  return {.needs = {.held = true}, .parts = names_of_deciles(), .values = [](const MetricInput& input) {
            return deciles(of_agents(input, [&](const Vector& scores, const Vector& labels) {
              return input.loss().total(scores, labels) / static_cast<double>(labels.size());
            }));
          }};
}
MadeMetric make_metric(const LocalAccuracyOptions&) {
  return {
      .needs = {.classes = true, .held = true}, .parts = names_of_deciles(), .values = [](const MetricInput& input) {
        return deciles(of_agents(input, [&](const Vector& scores, const Vector& labels) {
          return share_right(scores, labels, input.outputs());
        }));
      }};
}
MadeMetric make_metric(const L1ErrorOptions&) {
  return {{.truth = true}, [](const MetricInput& input) { return error(input).lpNorm<1>(); }};
}
MadeMetric make_metric(const L2ErrorOptions&) {
  return {{.truth = true}, [](const MetricInput& input) { return error(input).norm(); }};
}
MadeMetric make_metric(const FrobeniusErrorOptions&) {
  return {{.truth = true, .matrix = true}, [](const MetricInput& input) { return error(input).norm(); }};
}
MadeMetric make_metric(const OperatorErrorOptions&) {
  return {{.truth = true, .matrix = true},
          [](const MetricInput& input) { return values_of(error(input), input.shape())[0]; }};
}
MadeMetric make_metric(const SupportF1Options& options) {
  return {{.truth = true}, [threshold = options.threshold](const MetricInput& input) {
            return support_f1(input.iterate(), input.truth(), threshold);
          }};
}
MadeMetric make_metric(const NonZerosOptions& options) {
  return {{}, [threshold = options.threshold](const MetricInput& input) {
            return static_cast<double>((input.iterate().array().abs() > threshold).count());
          }};
}
MadeMetric make_metric(const RankOptions&) {
  return {{.matrix = true}, [](const MetricInput& input) { return rank(input.iterate(), input.shape()); }};
}
MadeMetric make_metric(const TrainLossOptions&) {
  return {{}, [](const MetricInput& input) { return mean_loss(input, input.train_scores(), input.train()); }};
}
MadeMetric make_metric(const TestLossOptions&) {
  return {{.test = true}, [](const MetricInput& input) { return mean_loss(input, input.test_scores(), input.test()); }};
}
MadeMetric make_metric(const MeanSquaredResidualOptions&) {
  return {{.single_score = true},
          [](const MetricInput& input) { return mean_squared(input.train_scores(), input.train()); }};
}
MadeMetric make_metric(const TestMeanSquaredResidualOptions&) {
  return {{.test = true, .single_score = true},
          [](const MetricInput& input) { return mean_squared(input.test_scores(), input.test()); }};
}
MadeMetric make_metric(const AccuracyOptions&) {
  return {{.classes = true},
          [](const MetricInput& input) { return share_right(input.train_scores(), input.train().y, input.outputs()); }};
}
MadeMetric make_metric(const TestAccuracyOptions&) {
  return {{.test = true, .classes = true},
          [](const MetricInput& input) { return share_right(input.test_scores(), input.test().y, input.outputs()); }};
}
MadeMetric make_metric(const OptimumGapOptions&) {
  return {{.optimum = true}, [](const MetricInput& input) -> std::optional<double> {
            if (!input.optimum().certified()) return std::nullopt;
            return input.objective() - input.optimum().value;
          }};
}
MadeMetric make_metric(const DistanceToOptimumOptions&) {
  return {{.optimum = true}, [](const MetricInput& input) -> std::optional<double> {
            if (!input.optimum().certified()) return std::nullopt;
            return (input.iterate() - input.optimum().theta).norm();
          }};
}
MadeMetric make_metric(const LocalTrainRatioOptions&) {
  return {{.optimum = true, .local = true}, [](const MetricInput& input) -> std::optional<double> {
            const auto least = optimum_loss(input);
            return least ? std::optional(local_train_loss(input) / *least) : std::nullopt;
          }};
}
MadeMetric make_metric(const LocalTestRatioOptions&) {
  return {{.test = true, .optimum = true, .local = true}, [](const MetricInput& input) -> std::optional<double> {
            const auto least = optimum_loss(input);
            return least ? std::optional(local_test_loss(input) / *least) : std::nullopt;
          }};
}

/// The derivatives of the losses, in the order of the data: at the prices, or each agent's at its own (N).
Vector derivatives(const MetricInput& input) {
  if (!input.has_local()) return input.loss().derivative(input.train_scores(), input.train().y);
  const auto& [report, samples] = input.local();
  const std::vector<Index>& order = input.held().order;
  Vector all(input.train().y.size());
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (samples[k].rows() == 0) continue;
    const Vector own = input.loss().derivative(samples[k].scores(report[k].front(), 1), samples[k].labels());
    for (Index i = 0; i < own.size(); ++i) {
      const Index place = samples[k].first() + i;
      all[order.empty() ? place : order[static_cast<std::size_t>(place)]] = own[i];
    }
  }
  return all;
}

MadeMetric make_metric(const CouplingResidualOptions&) {
  return {{.coupled = true}, [](const MetricInput& input) {
            const Coupling& coupling = *input.train().coupling;
            const Vector pulled = input.train().X.transpose_times(derivatives(input));
            return (coupling.miss - pulled / (coupling.scale * coupling.scale)).norm();
          }};
}
MadeMetric make_metric(const PrimalObjectiveOptions&) {
  return {{.coupled = true}, [](const MetricInput& input) {
            const Coupling& coupling = *input.train().coupling;
            const double above = input.loss().total_conjugate(derivatives(input), input.train().y);
            return coupling.cost + above / (coupling.scale * coupling.scale);
          }};
}
MadeMetric make_metric(const PrimalVariablesOptions& options) {
  std::vector<std::string> names;
  for (const std::int64_t k : options.variables) names.push_back(std::to_string(k));
  const Index last = options.variables.empty() ? 0 : std::ranges::max(options.variables);
  return {.needs = {.coupled = true, .variables = last + 1},
          .parts = std::move(names),
          .values = [wanted = options.variables](const MetricInput& input) {
            const Vector x = input.train().coupling->variables_at(derivatives(input));
            std::vector<double> values;
            for (const std::int64_t k : wanted) values.push_back(x[k]);
            return values;
          }};
}

}  // namespace

// One line a kind, which clang-format would fill up.
// clang-format off
const Catalogue<MadeMetric>& MetricFamily::catalogue() {
  static const auto all = Catalogue<MadeMetric>::of<
      L1ErrorOptions,
      L2ErrorOptions,
      FrobeniusErrorOptions,
      OperatorErrorOptions,
      SupportF1Options,
      NonZerosOptions,
      RankOptions,
      TrainLossOptions,
      TestLossOptions,
      MeanSquaredResidualOptions,
      TestMeanSquaredResidualOptions,
      AccuracyOptions,
      TestAccuracyOptions,
      OptimumGapOptions,
      DistanceToOptimumOptions,
      LocalTrainRatioOptions,
      LocalTestRatioOptions,
      LocalLossOptions,
      LocalAccuracyOptions,
      CouplingResidualOptions,
      PrimalObjectiveOptions,
      PrimalVariablesOptions,
      PythonMetricOptions>([](const auto& options) {
    MadeMetric made = make_metric(options);
    made.rises = requires { options.rises; };
    return made;
  });
  return all;
}
// clang-format on

}  // namespace lagnet
