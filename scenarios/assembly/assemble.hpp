#pragma once

#include <string>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/assembly/experiment_cache.hpp"
#include "scenarios/format/scenario.hpp"

namespace lagnet {

/// Reads or makes the data, draws the topology and sets the algorithm up. Throws ScenarioError with every problem of
/// network, speeds, participation, data, topology, partition and algorithm that can be told; `shown` names the file
/// in them.
Experiment assemble(const Scenario& scenario, const std::string& shown, ExperimentCache& cache);

/// Checks the part for which no data are needed: throws ScenarioError with every problem of topology, network, speeds
/// and participation.
void check_world(const Scenario& scenario, const std::string& shown);

}  // namespace lagnet
