#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lagnet {

/// The version of this program, as its results name it: "1.0.0".
std::string_view version();

/// Identifies the build of lagnet: the version, and checksums of the running program and, where that is Python, of
/// lagnet's module. Throws OutputError if these cannot be read.
std::string build_identity();

/// Versions of what is written and read, each counted by itself: the keys of a scenario, and the files of a result
/// folder with their columns. A plan and the messages of its processes have theirs where they are declared.
inline constexpr std::int64_t scenario_format = 1;
inline constexpr std::int64_t results_format = 1;

}  // namespace lagnet
