#pragma once

#include <filesystem>
#include <optional>

#include "scenarios/sweep/execute.hpp"

/// Results of other work are never replaced unasked, and what is finished is not computed again.
namespace lagnet {

/// The file that says which build of lagnet has finished the results in a folder.
inline constexpr const char* build_name = "build.txt";

/// Writes it.
void write_build(const std::filesystem::path& folder);

/// Whether a folder has the results of a plan: of these scenarios, by this build, from files that have not changed
/// since. Throws OutputError if it has results of other work.
bool has_results_of(const Plan& plan, const std::filesystem::path& target);

/// For a run of real processes, which is measured anew each time: throws OutputError if a folder has results that are
/// not those of such a run of the same scenario.
void refuse_other_results(const Scenario& scenario, const std::filesystem::path& out);

/// Answers from these results: tells the watcher of each point as one that was finished before, or left out where this
/// process has a part of the sweep. Returns nothing if there are none, if some code is in Python, or if they are to be
/// replaced. Throws OutputError for results of other work, unless they are to be replaced.
std::optional<Executed> finished_before(Plan& plan, const std::filesystem::path& out, const ExecuteOptions& options);

}  // namespace lagnet
