#pragma once

#include "scenarios/results/agent_link_csv.hpp"

namespace lagnet {

/// resources.csv: what messages did at each resource that limits, delays or loses them, between agents or at their
/// ends.
void write_resources_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink);

}  // namespace lagnet
