#pragma once

#include "scenarios/format/scenario.hpp"

namespace lagnet {

/// Reports what in a scenario is too large for lagnet to number, hold or count: more agents than links can be numbered,
/// data beyond any memory, and rounds whose work 64 bits do not count. What is below these bounds may still be too much
/// for a machine. Options that could not be read hold their defaults.
void check_sizes(const Scenario& scenario, Diagnostics& diagnostics);

}  // namespace lagnet
