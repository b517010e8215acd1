#pragma once

#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/data/data_share.hpp"

namespace lagnet {

/// Of an experiment that assemble() has made with all data. Throws RunError where the data of its method cannot be
/// divided so.
DataShare share_of(const Experiment& experiment, const std::vector<AgentId>& agents);

}  // namespace lagnet
