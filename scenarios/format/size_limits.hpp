#pragma once

#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// Adds what is larger in a scenario, as it stands in its file, than lagnet can number, hold or count: agents beyond
/// the links that have a number, data beyond any memory, and work of a round that 64 bits do not count. What fits
/// below these bounds may still be more than a machine has.
void check_sizes(const Json& scenario, Problems& problems);

}  // namespace lagnet
