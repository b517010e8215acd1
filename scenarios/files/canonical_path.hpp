#pragma once

#include <filesystem>

namespace lagnet {

/// The absolute path of a file or folder, which need not exist, with symbolic links resolved: ".." in it, and in paths
/// relative to it, has the system's meaning. The last name itself may be a link.
std::filesystem::path canonical_path(const std::filesystem::path& path);

}  // namespace lagnet
