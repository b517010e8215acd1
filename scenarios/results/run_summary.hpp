#pragma once

#include "scenarios/json/diagnostics.hpp"
#include "scenarios/run/outcome.hpp"

namespace lagnet {

/// summary.json.
Json summary(const Experiment& assembly, const Outcome& outcome);

}  // namespace lagnet
