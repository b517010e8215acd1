#pragma once

#include <filesystem>

#include "scenarios/sweep/plan.hpp"

/// Results of other work are never replaced unless the user asks, and finished work is not repeated.
namespace lagnet {

/// The file that says which build of lagnet has finished the results in a folder.
inline constexpr const char* build_name = "build.txt";

/// Writes it.
void write_build(const std::filesystem::path& folder);

/// Whether a folder has the results of a plan: of these scenarios, by this build, from files that have not changed
/// since. Never true of code in Python, which may call other code of which nothing is known. Throws OutputError if it
/// has results of other work.
bool has_results_of(const Plan& plan, const std::filesystem::path& target);

/// Where the points of a plan are in the end.
std::vector<std::filesystem::path> folders_of_points(const Plan& plan, const std::filesystem::path& target);

/// The scenario.json of the whole sweep there.
std::string text_of_scenario(const Plan& plan, const std::filesystem::path& target);

/// For a run of real processes, which is measured anew each time: throws OutputError if a folder has results that are
/// not those of such a run of the same scenario.
void refuse_other_results(const Scenario& scenario, const std::filesystem::path& out);

}  // namespace lagnet
