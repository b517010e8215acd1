#pragma once

#include <string>

namespace lagnet::tools {

/// What `lagnet --version` prints, without a line break at the end: "lagnet" and the version, a checksum of the
/// program, and the versions of the formats that it reads and writes.
std::string version_text();

}  // namespace lagnet::tools
