#pragma once

#include <memory>
#include <string>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/assembly/experiment_cache.hpp"
#include "scenarios/data/data_share.hpp"
#include "scenarios/format/scenario.hpp"

namespace lagnet {

/// Reads or makes the data, draws the topology and sets the algorithm up. Throws Diagnosed with every problem of
/// network, speeds, participation, data, topology, partition and algorithm that can be told; `shown` names the file
/// in them. With a share of the data, which share_of() has made once from all of them, no data are read, and the
/// algorithm works for the agents of the share alone; optimum and metrics are left out.
Experiment assemble(const Scenario& scenario, const std::string& shown, ExperimentCache& cache,
                    const DataShare* share = nullptr);

/// An experiment with the network, speeds and rules of another scenario, in which nothing else differs that decides
/// values (scenarios/format/retimable.hpp). All other parts are shared, so that it takes little time.
Experiment in_other_times(const std::shared_ptr<const Experiment>& made, const Scenario& scenario,
                          const std::string& shown);

/// Checks the part for which no data are needed: throws Diagnosed with every problem of topology, network, speeds
/// and participation. Returns the files that these were read from.
FileDigests check_world(const Scenario& scenario, const std::string& shown);

}  // namespace lagnet
