#pragma once

#include <filesystem>

namespace lagnet {

/// The absolute path of a file or folder, whether it is there or not, by the real folders: through whatever symbolic
/// links it is named, ".." in it and in paths relative to it means what it means to the system. The last name itself
/// may be a link.
std::filesystem::path canonical_path(const std::filesystem::path& path);

}  // namespace lagnet
