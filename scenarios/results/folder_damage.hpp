#pragma once

#include <filesystem>
#include <string>

namespace lagnet {

/// Not every change of a scenario changes its results, so the results say which scenario they belong to. Says what is
/// missing or damaged in the folder of a run or a sweep, "summary.json: missing"; "" if it is. Throws OutputError if a
/// file cannot be read.
std::string folder_damage(const std::filesystem::path& folder);

/// Whether the folder holds what `lagnet tune` wrote.
bool is_tuning(const std::filesystem::path& folder);

}  // namespace lagnet
