#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace lagnet {

/// What a path is where it is no regular file: "nothing there", "a folder", "a pipe", "a device", "a socket", or why it
/// cannot be looked at. Every reader asks first: a pipe would let it wait for ever, and a device never end.
std::optional<std::string> no_regular_file(const std::filesystem::path& path);

/// Opens a regular file; a stream that failed for anything else.
std::ifstream open_regular_file(const std::filesystem::path& path);

}  // namespace lagnet
