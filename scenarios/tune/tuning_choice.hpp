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
  std::optional<double> relative_error, relative_loss;  // at the end of its own run
  std::optional<double> grade;                          // of those on the Pareto front
  std::optional<std::int64_t> rank;                     // of these, from 1 by grade; of equals the first one is before
};

/// Judges the candidates by what stands in the folders of the points, and grades those on the Pareto front of the ones
/// that can be chosen. Throws OutputError if a file cannot be read.
std::vector<TunedCandidate> judge(const Tuning& tuning, const std::vector<std::filesystem::path>& folders);

/// The one of rank 1; nothing if none can be chosen.
std::optional<std::size_t> chosen_candidate(const std::vector<TunedCandidate>& judged);

/// candidates.csv: a row for each with its values, metrics, outcome, whether it is on the front, grade, rank, folder.
std::string candidates_table(const Tuning& tuning, const std::vector<TunedCandidate>& judged);

/// tune.json; `scenario_checksum` is that of scenario.json.
Json facts_of_tuning(const Tuning& tuning, const std::vector<TunedCandidate>& judged,
                     const std::string& scenario_checksum);

}  // namespace lagnet
