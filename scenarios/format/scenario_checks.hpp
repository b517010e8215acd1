#pragma once

#include "scenarios/format/scenario.hpp"

namespace lagnet {

/// Reports sizes in a scenario that are too large to number, hold or count: more agents than links can be numbered,
/// data beyond any memory, and rounds whose work 64 bits do not count. Smaller sizes may still be too large for a
/// machine. Options that could not be read hold their defaults.
void check_sizes(const Scenario& scenario, Diagnostics& diagnostics);

/// Reports keys with a value other than their default that has no effect beside the other values: another key decides
/// whether they are read.
void check_idle_keys(const Scenario& scenario, Diagnostics& diagnostics);

}  // namespace lagnet
