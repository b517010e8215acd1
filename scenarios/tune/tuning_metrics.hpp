#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/tune_options.hpp"

/// The metrics of a tuning's candidate, from the recorded rounds of its run. Source: T. Overman, G. Blum, D. Klabjan,
/// "A primal-dual algorithm for hybrid federated learning", arXiv:2210.08106v3, appendix: metrics (4) to (7); (1) to
/// (3) are the time per round at three latencies. With "record": {"every": 1} a recorded round is an iteration.
namespace lagnet {

/// The recorded rounds of a run, the start first; nan where a cell is empty.
struct ProgressCurve {
  std::vector<double> rounds, seconds, bytes, losses, relative_errors;
  std::vector<double> accuracies;                       // on the test samples; empty if they are not recorded
  std::optional<double> relative_error, relative_loss;  // of the last row, where there are such numbers
};

/// From progress.csv. Throws OutputError if it cannot be read.
ProgressCurve read_curve(const std::filesystem::path& file);

/// Mean simulated time per round, in s; nan without a round. (1), (2), (3)
double seconds_per_round(const ProgressCurve& curve);
/// Mean of the last 5 losses, or of all if there are fewer. (4)
double final_loss(const ProgressCurve& curve);
/// The largest of the existing ones; nan without any. (5)
double best_accuracy(const ProgressCurve& curve);
/// Standard deviation, of the population, of the differences of consecutive losses; nan without one. (6)
double volatility(const ProgressCurve& curve);
/// The first round t after the start with P(0) - P(t) >= 0.9 (P(0) - min P); nan if no loss is below P(0). (7)
double rounds_to_descend(const ProgressCurve& curve);

/// The cost of a run when its relative error reaches a level and stays there (level_rows.hpp); infinity if it never
/// does.
double cost_of_level(const ProgressCurve& curve, TuningCost cost, double level);

/// The middle one of values, or the mean of the two in the middle; infinity where one of them is. nan of none.
double median(std::vector<double> values);

/// Why a run cannot be chosen: an error, divergence, a deadlock, no complete round, a loss that is not finite, or a
/// last loss above the first; "" if it can. `folder` is the run's, `curve` its curve.
std::string why_not_chosen(const std::filesystem::path& folder, const ProgressCurve& curve);

}  // namespace lagnet
