#pragma once

#include "scenarios/data/quadratics.hpp"

namespace lagnet {

/// The same with constraints: n samples for each agent, one for each of its variables. Throws Diagnosed.
DataSet load_coupled(const QuadraticsOptions& options);

}  // namespace lagnet
