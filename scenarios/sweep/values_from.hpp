#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/results/recorded_runs.hpp"

/// Points of a sweep that differ in time alone have the same values: one of them computes, the others take its values.
namespace lagnet {

/// Where the values of a point come from: its own numbers, another point, or the folder of a run. The default is the
/// first.
struct ValuesFrom {
  std::optional<std::size_t> point;  // of the same plan; it computes
  std::filesystem::path folder;      // if not empty
  std::string trace_hash = {};       // of the run in the folder
};

/// For each scenario the first one with the same values, where its values do not depend on time.
std::vector<ValuesFrom> values_from_points(const std::vector<Scenario>& scenarios);

/// For each scenario one of the recorded runs with the same values: one in the same times, or else the one that came to
/// the latest round. `names`: what to call the scenarios. Throws Diagnosed with the reason for each that has none;
/// `shown` names the file in it.
std::vector<ValuesFrom> values_from_runs(const std::vector<Scenario>& scenarios, const std::vector<std::string>& names,
                                         const std::vector<RecordedRun>& runs, const std::string& shown);

}  // namespace lagnet
