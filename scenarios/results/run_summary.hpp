#pragma once

#include "scenarios/json/diagnostics.hpp"
#include "scenarios/run/outcome.hpp"

namespace lagnet {

/// What summary.json and `lagnet topology` say of a graph first: agents, edges and degrees.
Json graph_facts(const Topology& topology);

/// What it says of the data.
Json data_facts(const Experiment& experiment);

/// summary.json.
Json summary(const Experiment& experiment, const Outcome& outcome);

}  // namespace lagnet
