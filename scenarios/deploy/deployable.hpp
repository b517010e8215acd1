#pragma once

#include <string>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "sim/base/remark.hpp"

namespace lagnet {

/// Why the agents of a run cannot be processes that know nothing of each other but messages: each with the key of the
/// scenario that it is about. Empty if they can.
std::vector<std::string> why_not_deployed(const Experiment& experiment);

/// Throws RunError with all these reasons, and others that are given.
void check_deployable(const Experiment& experiment, const std::string& shown,
                      const std::vector<std::string>& others = {});

/// Remarks on differences between a deployed run and a simulation of the scenario.
Remarks deployment_remarks(const Experiment& experiment);

}  // namespace lagnet
