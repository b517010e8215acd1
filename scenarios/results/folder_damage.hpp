#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sim/base/diagnostic.hpp"

namespace lagnet {

/// Not every change of a scenario changes its results, so the results say which scenario they belong to. Names the
/// missing or damaged part of the folder of a run or a sweep, "summary.json: missing". Throws OutputError if a file
/// cannot be read.
std::optional<Diagnostic> folder_damage(const std::filesystem::path& folder);

/// In the folder of a point that ended by an error: the error's text. Rows recorded before are beside it.
constexpr const char* error_name = "error.txt";
/// The error that ended the point of a sweep in this folder; nothing if none did. Throws OutputError if it cannot be
/// read.
std::optional<std::string> error_of_point(const std::filesystem::path& folder);

/// Whether the folder holds what `lagnet tune` wrote.
bool is_tuning(const std::filesystem::path& folder);

}  // namespace lagnet
