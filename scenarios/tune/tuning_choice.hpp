#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/tune/tune.hpp"

namespace lagnet {

/// The result of a candidate.
struct TunedCandidate {
  std::string outcome;                                  // "ok", or why it cannot be chosen
  std::vector<double> metrics;                          // in the order of the tuning's metrics; nan where none exists
  std::optional<double> relative_error, relative_loss;  // at the end of its own runs, the median over seeds
  std::vector<double> costs;                            // of the tuning's levels, the median over seeds
  double last_loss = 0;                                 // of the first of its own runs
  std::optional<double> grade;                          // of those on the Pareto front
  std::optional<std::int64_t> rank;                     // from 1, by cost or grade; of equals the first one is before
};

/// Judges the candidates by the folders of the points, and ranks the ones that can be chosen: by what the lowest level
/// costs that any of them gets to, then by their last relative errors or, where there are none, last losses; or by the
/// grades of those on the Pareto front. Throws OutputError if a file cannot be read.
std::vector<TunedCandidate> judge(const Tuning& tuning, const std::vector<std::filesystem::path>& folders);

/// The level that decided: the lowest that any candidate gets to. Nothing if there is none, or with grades.
std::optional<double> deciding_level(const Tuning& tuning, const std::vector<TunedCandidate>& judged);

/// The one of rank 1; nothing if none can be chosen.
std::optional<std::size_t> chosen_candidate(const std::vector<TunedCandidate>& judged);

/// candidates.csv: a row for each with its values, costs of the levels (to_1e-4_s) or metrics, outcome and, of grades,
/// whether it is on the front and its grade; rank and folder.
std::string candidates_table(const Tuning& tuning, const std::vector<TunedCandidate>& judged);

/// tune.json; `scenario_checksum` is that of scenario.json.
Json facts_of_tuning(const Tuning& tuning, const std::vector<TunedCandidate>& judged,
                     const std::string& scenario_checksum);

}  // namespace lagnet
