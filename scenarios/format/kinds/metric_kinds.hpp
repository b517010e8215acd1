#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scenarios/json/choice.hpp"
#include "sim/base/options.hpp"

/// The metrics that a scenario can record, as the papers define them: theta is the iterate, theta* the coefficients
/// that made the data, n the number of samples. Sources: Bao, Crawshaw, Luo, Liu (2022), section 4 and appendix F;
/// Maros, Scutari (2022), appendix A.2.
namespace lagnet {

struct L1ErrorOptions : NoOptions {
  static constexpr std::string_view kind = "l1_error";
  static constexpr std::string_view summary = "|theta - theta*|_1";
};
struct L2ErrorOptions : NoOptions {
  static constexpr std::string_view kind = "l2_error";
  static constexpr std::string_view summary = "|theta - theta*|_2";
};
struct FrobeniusErrorOptions : NoOptions {
  static constexpr std::string_view kind = "frobenius_error";
  static constexpr std::string_view summary = "Frobenius norm of theta - theta*, for matrices";
};
struct OperatorErrorOptions : NoOptions {
  static constexpr std::string_view kind = "operator_error";
  static constexpr std::string_view summary = "largest singular value of theta - theta*, for matrices";
};

/// F1 = 2 TP / (|estimated| + |true|) of the supports {|theta_i| > threshold} and {theta*_i != 0}; 0 if TP = 0.
struct SupportF1Options {
  double threshold = 0.01;
  static constexpr std::string_view kind = "support_f1";
  static constexpr std::string_view summary = "F1 score of the support of theta against that of theta*";
  static void fields(auto& self, auto& field) {
    field("threshold", self.threshold, "entries up to this absolute value count as zero", at_least(0));
  }
};

struct NonZerosOptions {
  double threshold = 0;
  static constexpr std::string_view kind = "non_zeros";
  static constexpr std::string_view summary = "number of non-zero entries of theta";
  static void fields(auto& self, auto& field) {
    field("threshold", self.threshold, "entries up to this absolute value count as zero", at_least(0));
  }
};

/// Singular values above max(p1, p2) ulp(s_1), with s_1 the largest and ulp its distance to the next double.
struct RankOptions : NoOptions {
  static constexpr std::string_view kind = "rank";
  static constexpr std::string_view summary = "rank of the matrix theta, up to rounding";
};

struct TrainLossOptions : NoOptions {
  static constexpr std::string_view kind = "train_loss";
  static constexpr std::string_view summary = "mean of the loss, without regularizer";
};
struct TestLossOptions : NoOptions {
  static constexpr std::string_view kind = "test_loss";
  static constexpr std::string_view summary = "mean of the loss over the test samples";
};

/// Without the factor 1/2 of the squared loss.
struct MeanSquaredResidualOptions : NoOptions {
  static constexpr std::string_view kind = "mean_squared_residual";
  static constexpr std::string_view summary = "(1/n) sum (x_i' theta - y_i)^2";
};
struct TestMeanSquaredResidualOptions : NoOptions {
  static constexpr std::string_view kind = "test_mean_squared_residual";
  static constexpr std::string_view summary = "the same over the test samples";
};

/// A single score predicts class 1 from 0 up, else -1; of several scores the largest one predicts its class, the first
/// one of equals.
struct AccuracyOptions : NoOptions {
  static constexpr std::string_view kind = "accuracy";
  static constexpr std::string_view summary = "share of the samples that the scores classify correctly";
};
struct TestAccuracyOptions : NoOptions {
  static constexpr std::string_view kind = "test_accuracy";
  static constexpr std::string_view summary = "share of the test samples that the scores classify correctly";
};

/// Empty where no optimum could be certified.
struct OptimumGapOptions : NoOptions {
  static constexpr std::string_view kind = "optimum_gap";
  static constexpr std::string_view summary = "F(theta) - F*, F* of the central optimum";
};
struct DistanceToOptimumOptions : NoOptions {
  static constexpr std::string_view kind = "distance_to_optimum";
  static constexpr std::string_view summary = "|theta - theta^|_2 to the central optimum";
};

/// Of methods whose agents all have an iterate theta_i of their own: the axes of Maros, Scutari (2022), figure 4.
/// Losses without regularizer, means over samples; the paper's test ratio, of sums, is this one times n_test / n. Empty
/// where no optimum could be certified or it leaves no loss.
struct LocalTrainRatioOptions : NoOptions {
  static constexpr std::string_view kind = "local_train_ratio";
  static constexpr std::string_view summary =
      "mean loss, each sample's by its own agent's theta_i, over that of theta^";
};
struct LocalTestRatioOptions : NoOptions {
  static constexpr std::string_view kind = "local_test_ratio";
  static constexpr std::string_view summary = "mean over agents of theta_i's test loss, over the train loss of theta^";
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
