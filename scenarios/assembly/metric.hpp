#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/central/optimum.hpp"
#include "algorithms/interface/algorithm.hpp"
#include "algorithms/problem/problem.hpp"
#include "scenarios/data/data_set.hpp"

/// Metrics of a problem: measures of an iterate in addition to its objective, as columns that a scenario asks for.
/// Kinds are in metric_kinds.hpp.
namespace lagnet {

/// The agents' own iterates, the first part of each report (d), and their samples.
struct LocalIterates {
  RoundReport report;
  const std::vector<RowBlock>& samples;
};

/// The samples of each agent: row r of the partition's order is row order[r] of the data, or r where there is no order.
struct HeldSamples {
  const std::vector<Index>& order;
  std::vector<Index> starts;  // of the agents, and the end
};

/// The input of metrics. All except the local iterates is in the data's own order, for any partition.
class MetricInput {
 public:
  /// Everything except the objective must outlive the input; pointers may be null.
  MetricInput(const Vector& iterate, double objective, const DataSet& data, const Problem& problem,
              const Optimum* optimum, const LocalIterates* local = nullptr, const HeldSamples* held = nullptr)
      : iterate_(iterate),
        objective_(objective),
        data_(data),
        problem_(problem),
        optimum_(optimum),
        local_(local),
        held_(held) {}

  const Vector& iterate() const { return iterate_; }  // theta, a matrix row by row
  double objective() const { return objective_; }
  IterateShape shape() const { return problem_.shape; }
  const Loss& loss() const { return *problem_.loss; }
  const Regularizer& regularizer() const { return *problem_.regularizer; }
  const Optimum& optimum() const { return *optimum_; }
  const Vector& truth() const { return *data_.truth; }
  const LocalIterates& local() const { return *local_; }
  bool has_local() const { return local_ != nullptr; }
  const HeldSamples& held() const { return *held_; }
  const DataSet& train() const { return data_; }
  const DataSet& test() const { return *data_.test; }

  /// Scores of a sample: 1, or one for each class, if theta is a matrix of as many columns.
  Index outputs() const { return iterate_.size() / data_.X.cols(); }
  /// X Theta, one sample after the other (samples * outputs); computed once.
  const Vector& train_scores() const { return scores(train(), train_scores_); }
  const Vector& test_scores() const { return scores(test(), test_scores_); }
  /// The same of any theta.
  Vector scores_of(const Vector& theta, const DataSet& samples) const;

 private:
  const Vector& scores(const DataSet& samples, std::optional<Vector>& known) const;

  const Vector& iterate_;
  double objective_;
  const DataSet& data_;
  const Problem& problem_;
  const Optimum* optimum_;
  const LocalIterates* local_;
  const HeldSamples* held_;
  mutable std::optional<Vector> train_scores_, test_scores_;
};

/// The needs of a metric.
struct MetricNeeds {
  bool truth = false;         // the coefficients that made the data
  bool matrix = false;        // an iterate that is a matrix
  bool test = false;          // test samples
  bool single_score = false;  // one score a sample
  bool classes = false;       // labels that are classes: -1 and 1 of a single score, 0 .. c-1 of c scores
  bool optimum = false;       // the central one, asked for
  bool local = false;         // agents with iterates of their own
  bool coupled = false;       // agents with coupling constraints
  Index variables = 0;        // at least as many of them
  bool held = false;          // samples that are divided among agents, each of them a row of the data
};

/// A kind of metric with its options. It is never asked about iterates that are not finite.
struct MadeMetric {
  MetricNeeds needs;
  std::function<std::optional<double>(const MetricInput&)> value;
  // For a metric with several columns: the suffixes after its name and "_", and all its values.
  std::vector<std::string> parts = {};
  std::function<std::vector<double>(const MetricInput&)> values = {};
  bool rises = false;  // the more, the better; true where nothing is known of that
};

}  // namespace lagnet
