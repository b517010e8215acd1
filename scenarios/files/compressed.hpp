#pragma once

#include <filesystem>
#include <string>

namespace lagnet {

/// The whole content of a file, decompressed if it is gzip, bzip2 or xz. The first bytes decide the format, not the
/// name. Of a file with several members (as `cat a.gz b.gz` makes) it is all of them, one after the other. Throws
/// Diagnosed if the path is missing, not a regular file or not readable, and if compressed data are truncated or
/// damaged, so that a short read never passes for a small data set. (A cut exactly between two members looks like a
/// file of fewer members.)
std::string read_data_file(const std::filesystem::path& path);

/// The same of a text: lines that end in carriage returns alone end in line feeds. Throws Diagnosed for UTF-16, as some
/// spreadsheets write it, and for bytes that are no text.
std::string read_data_text(const std::filesystem::path& path);

}  // namespace lagnet
