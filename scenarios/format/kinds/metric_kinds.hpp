#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/choice.hpp"
#include "sim/base/options.hpp"

/// The metrics that a scenario can record, as the papers define them: theta is the iterate, theta* the coefficients
/// that made the data, n the number of samples. Sources: Bao, Crawshaw, Luo, Liu (2022), section 4 and appendix F;
/// Maros, Scutari (2022), appendix A.2.
namespace lagnet {

struct L1ErrorOptions : NoOptions {
  static constexpr std::string_view kind = "l1_error";
  static constexpr std::string_view formula = "|theta - theta*|_1";
  static constexpr std::string_view summary =
      "Distance of the iterate to the coefficients that made the data, by absolute values.";
};
struct L2ErrorOptions : NoOptions {
  static constexpr std::string_view kind = "l2_error";
  static constexpr std::string_view formula = "|theta - theta*|_2";
  static constexpr std::string_view summary = "Distance of the iterate to the coefficients that made the data.";
};
struct FrobeniusErrorOptions : NoOptions {
  static constexpr std::string_view kind = "frobenius_error";
  static constexpr std::string_view formula = "|Theta - Theta*|_F";
  static constexpr std::string_view summary = "Distance of a matrix to the one that made the data, entry by entry.";
};
struct OperatorErrorOptions : NoOptions {
  static constexpr std::string_view kind = "operator_error";
  static constexpr std::string_view formula = "largest singular value of Theta - Theta*";
  static constexpr std::string_view summary = "Distance of a matrix to the one that made the data, as operators.";
};

/// F1 = 2 TP / (|estimated| + |true|) of the supports {|theta_i| > threshold} and {theta*_i != 0}; 0 if TP = 0.
struct SupportF1Options {
  double threshold = 0.01;
  static constexpr std::string_view kind = "support_f1";
  static constexpr bool rises = true;  // the more, the better
  static constexpr std::string_view formula =
      "2 TP / (|S| + |S*|), S = {j: |theta_j| > threshold}, S* = {j: theta*_j != 0}, TP = |S and S*|";
  static constexpr std::string_view summary = "How well the iterate finds which coefficients are not 0.";
  static void fields(auto& self, auto& field) {
    field("threshold", self.threshold, "entries up to this absolute value count as zero", at_least(0));
  }
};

struct NonZerosOptions {
  double threshold = 0;
  static constexpr std::string_view kind = "non_zeros";
  static constexpr std::string_view formula = "count of j with |theta_j| > threshold";
  static constexpr std::string_view summary = "Coefficients that are not 0.";
  static void fields(auto& self, auto& field) {
    field("threshold", self.threshold, "entries up to this absolute value count as zero", at_least(0));
  }
};

/// Singular values above max(p1, p2) ulp(s_1), with s_1 the largest and ulp its distance to the next double.
struct RankOptions : NoOptions {
  static constexpr std::string_view kind = "rank";
  static constexpr std::string_view formula = "count of singular values above max(p1, p2) ulp(the largest)";
  static constexpr std::string_view summary = "Rank of a matrix, up to rounding.";
};

struct TrainLossOptions : NoOptions {
  static constexpr std::string_view kind = "train_loss";
  static constexpr std::string_view formula = "(1/n) sum_i l(x_i' theta, y_i)";
  static constexpr std::string_view summary = "Mean loss of the samples, without the regularizer.";
};
struct TestLossOptions : NoOptions {
  static constexpr std::string_view kind = "test_loss";
  static constexpr std::string_view formula = "(1/n_test) sum_i l(x_i' theta, y_i), over test samples";
  static constexpr std::string_view summary = "Mean loss of the test samples.";
};

/// Without the factor 1/2 of the squared loss.
struct MeanSquaredResidualOptions : NoOptions {
  static constexpr std::string_view kind = "mean_squared_residual";
  static constexpr std::string_view formula = "(1/n) sum_i (x_i' theta - y_i)^2";
  static constexpr std::string_view summary =
      "Mean square error of predictions, without the factor 1/2 of the squared loss.";
};
struct TestMeanSquaredResidualOptions : NoOptions {
  static constexpr std::string_view kind = "test_mean_squared_residual";
  static constexpr std::string_view formula = "(1/n_test) sum_i (x_i' theta - y_i)^2, over test samples";
  static constexpr std::string_view summary = "Mean square error of predictions for the test samples.";
};

/// A single score predicts class 1 from 0 up, else -1; of several scores the largest one predicts its class, the first
/// one of equals.
struct AccuracyOptions : NoOptions {
  static constexpr std::string_view kind = "accuracy";
  static constexpr bool rises = true;  // the more, the better
  static constexpr std::string_view formula = "(samples classified correctly) / n";
  static constexpr std::string_view summary = "Share of the samples that the scores classify correctly.";
};
struct TestAccuracyOptions : NoOptions {
  static constexpr std::string_view kind = "test_accuracy";
  static constexpr bool rises = true;  // the more, the better
  static constexpr std::string_view formula = "(test samples classified correctly) / n_test";
  static constexpr std::string_view summary = "Share of the test samples that the scores classify correctly.";
};

/// Empty where no optimum could be certified.
struct OptimumGapOptions : NoOptions {
  static constexpr std::string_view kind = "optimum_gap";
  static constexpr std::string_view formula = "F(theta) - F*";
  static constexpr std::string_view summary =
      "How far the objective is above its least value; empty where that is not certified.";
};
struct DistanceToOptimumOptions : NoOptions {
  static constexpr std::string_view kind = "distance_to_optimum";
  static constexpr std::string_view formula = "|theta - theta^|_2";
  static constexpr std::string_view summary =
      "Distance of the iterate to the central optimum; optimum_distance is the mean square of all agents' iterates.";
};

/// Of methods whose agents all have an iterate theta_i of their own: the axes of Maros, Scutari (2022), figure 4.
/// Losses without regularizer, means over samples; the paper's test ratio, of sums, is this one times n_test / n. Empty
/// where no optimum could be certified or it leaves no loss.
struct LocalTrainRatioOptions : NoOptions {
  static constexpr std::string_view kind = "local_train_ratio";
  static constexpr std::string_view formula =
      "(1/n) sum_i l(x_i' theta_a(i), y_i), a(i) the agent of sample i, over train_loss of theta^";
  static constexpr std::string_view summary =
      "Mean loss of the samples with their own agents' iterates, relative to the central optimum's.";
};
struct LocalTestRatioOptions : NoOptions {
  static constexpr std::string_view kind = "local_test_ratio";
  static constexpr std::string_view formula = "(1/m) sum_i test_loss of theta_i, over train_loss of theta^";
  static constexpr std::string_view summary =
      "Mean test loss of the agents' iterates, relative to the central optimum's train loss.";
};

/// Of the samples of each agent that holds some, by its own theta_i or, where agents have none, by theta: the least of
/// the agents' values, their deciles 1 to 9 by linear interpolation, and the largest, a column each.
struct LocalLossOptions : NoOptions {
  static constexpr std::string_view kind = "local_loss";
  static constexpr std::string_view summary =
      "mean loss of each agent's samples: least, deciles and largest over agents (11 columns)";
};
struct LocalAccuracyOptions : NoOptions {
  static constexpr std::string_view kind = "local_accuracy";
  static constexpr std::string_view summary =
      "share of each agent's samples classified correctly: least, deciles and largest over agents (11 columns)";
};

/// Of agents with coupling constraints: their variables at the prices, each agent's at its own where agents have some
/// (scenarios/data/quadratics.hpp). Before the prices are right, they break the constraints.
struct CouplingResidualOptions : NoOptions {
  static constexpr std::string_view kind = "coupling_residual";
  static constexpr std::string_view formula = "|sum_i B_i x_i - b|_2, x_i the agent's best answer to the prices";
  static constexpr std::string_view summary =
      "How far the agents' variables are from keeping the coupling constraints.";
};
struct PrimalObjectiveOptions : NoOptions {
  static constexpr std::string_view kind = "primal_objective";
  static constexpr std::string_view formula =
      "sum_i (x_i' A_i x_i / 2 - b_i' x_i), x_i the agent's best answer to the prices";
  static constexpr std::string_view summary =
      "Cost of the agents' variables, which is below the least one where they break the coupling constraints.";
};
struct PrimalVariablesOptions {
  std::vector<std::int64_t> variables;
  static constexpr std::string_view kind = "primal_variables";
  static constexpr std::string_view summary =
      "variables of agents with coupling constraints: their best answers to the prices, a column each";
  static void fields(auto& self, auto& field) {
    field("variables", self.variables, "which: lines of the costs' file, counted from 0", any_value().required());
  }
  void check(auto& report) const {
    if (variables.empty()) report("variables", "at least one number", "none");
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (variables[i] < 0) report("variables", "numbers from 0 on", variables[i]);
      for (std::size_t j = 0; j < i; ++j)
        if (variables[i] == variables[j]) report("variables", "each number once", variables[i]);
    }
  }
};

struct MadeMetric;

/// The keys that all metrics have.
struct MetricCommon {
  std::optional<std::string> column;
  static void fields(auto& self, auto& field) {
    field("column", self.column,
          "name of the column, for a metric that is recorded twice; null: its kind, or class in Python");
  }
};

struct MetricFamily {
  static constexpr std::string_view key = "kind", called = "metric";
  static constexpr bool by_name = true;
  using Common = MetricCommon;
  static const Catalogue<MadeMetric>& catalogue();
};

}  // namespace lagnet
