#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/tune_options.hpp"
#include "scenarios/run/recorded_values.hpp"

/// The metrics of a tuning's candidate, from the recorded rounds of its run. Source: T. Overman, G. Blum, D. Klabjan,
/// "A primal-dual algorithm for hybrid federated learning", arXiv:2210.08106v3, appendix: metrics (4) to (7); (1) to
/// (3) are the time per round at three latencies. With "record": {"every": 1} a recorded round is an iteration. Tables
/// are those of progress.csv.
namespace lagnet {

/// Mean simulated time per round, in s; nan without a round. (1), (2), (3)
double seconds_per_round(const ProgressTable& table);
/// Mean of the last 5 losses, or of all if there are fewer. (4)
double final_loss(const ProgressTable& table);
/// The largest of the existing ones; nan without any. (5)
double best_accuracy(const ProgressTable& table);
/// Standard deviation, of the population, of the differences of consecutive losses; nan without one. (6)
double volatility(const ProgressTable& table);
/// The first round t after the start with P(0) - P(t) >= 0.9 (P(0) - min P); nan if no loss is below P(0). (7)
double rounds_to_descend(const ProgressTable& table);

/// The cost of a run when its relative error reaches a level and stays there (level_rows.hpp); infinity if it never
/// does.
double cost_of_level(const ProgressTable& table, TuningCost cost, double level);

/// Of a column in the last row; nothing if there is no finite number.
std::optional<double> last_number(const ProgressTable& table, std::string_view column);

/// The middle one of values, or the mean of the two in the middle; infinity where one of them is. nan of none.
double median(std::vector<double> values);

/// Why a run cannot be chosen: an error, divergence, a deadlock, no complete round, a loss that is not finite, or a
/// last loss above the first; "" if it can. `folder` is the run's, `table` its rows.
std::string why_not_chosen(const std::filesystem::path& folder, const ProgressTable& table);

}  // namespace lagnet
