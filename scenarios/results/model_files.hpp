#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string_view>

#include "scenarios/data/linear_model.hpp"
#include "scenarios/run/outcome.hpp"

/// The final model of a run, on raw data:
///
///     model.csv          feature, coefficient; or feature, class_0, class_1, ..: a row for each feature, by its name
///     or
///                        its number from 1, and a last row "intercept" where there is one
///     model.npy          in its place where the iterate is a matrix of one score a sample          (rows x cols)
///     model_history.npy  with record.model_every: the coefficients, row by row, and the intercepts of every n-th round
///                                                                                                    (rounds x
///                                                                                                    numbers)
///
/// and the key "model" of summary.json, with what the files do not say.
namespace lagnet {

inline constexpr std::array<std::string_view, 3> model_file_names{"model.csv", "model.npy", "model_history.npy"};

/// Writes the files, if the run has a model, and gives the facts for summary.json. Throws OutputError.
Json write_model(const Experiment& experiment, const Outcome& outcome, const std::filesystem::path& folder);

/// The model in the folder of a run. Throws OutputError where there is none, or where its files are damaged.
LinearModel read_model(const std::filesystem::path& folder);

}  // namespace lagnet
