#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/sweep/execute.hpp"

/// `"step": "tune"`: the contestants of a comparison are tuned before they run, all with the same budget.
namespace lagnet {

/// Candidates that each contestant has.
constexpr std::int64_t tuning_budget = 10;

/// Whether the algorithm, or one that a sweep sets, has an option that is to be tuned.
bool asks_for_tuning(const ScenarioFile& file);

/// The same scenario with theoretical values instead of "tune": it can be read, checked and assembled before the
/// tuning.
ScenarioFile with_theory(const ScenarioFile& file);

struct TunedScenario {
  ScenarioFile file;               // with the values found, of a sweep as a list of its points
  std::vector<std::string> found;  // a sentence for each contestant: "extra, ring: step = 0.37, theory's times 2.1"
};

/// Tunes each contestant: points that differ in more than their seeds. Candidates are a Latin hypercube over 1/32 to 32
/// times theory's value, uniform in the logarithm; they run with the first of the seeds, as `lagnet tune` runs them
/// with its defaults, in folders "NAME-tuning/000" beside the folder `out`. A tuning that is there already with the
/// same scenario is not repeated. Throws Diagnosed, for a contestant that theory has no value for too, and
/// OutputError where no candidate of a contestant can be chosen.
TunedScenario tuned_steps(const ScenarioFile& file, const std::filesystem::path& out, const ExecuteOptions& options);

}  // namespace lagnet
