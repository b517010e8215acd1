#pragma once

#include "scenarios/assembly/experiment.hpp"

namespace lagnet {

/// Checks the records, and stop rules that use them. Throws Diagnosed.
void check_measures(const Experiment& made, Diagnostics& diagnostics);

}  // namespace lagnet
