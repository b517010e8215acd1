#pragma once

#include <string>

namespace lagnet::tools {

/// Refuses the name that a shell makes of a variable that is not set: taken for no name at all it would have results
/// written to, and replaced in, the default place.
inline std::string refuse_empty(const std::string& text) { return text.empty() ? "expected a name, found none" : ""; }

}  // namespace lagnet::tools
