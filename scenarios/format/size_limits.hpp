#pragma once

#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// Reports what in a scenario, as it stands in its file, is too large for lagnet to number, hold or count: more agents
/// than links can be numbered, data beyond any memory, and rounds whose work 64 bits do not count. What is below these
/// bounds may still be too much for a machine.
void check_sizes(const Json& scenario, Problems& problems);

}  // namespace lagnet
