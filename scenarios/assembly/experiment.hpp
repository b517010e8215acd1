#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/assembly/recorded_metrics.hpp"
#include "scenarios/data/data_set.hpp"
#include "scenarios/format/scenario.hpp"
#include "sim/accounts/costs.hpp"
#include "sim/engine/simulation.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

class CachedReference;

/// A scenario made into things.
struct Experiment {
  Scenario scenario;
  std::shared_ptr<const DataSet> data;
  AlgorithmTraits traits;  // of the algorithm's agents
  Problem problem;         // its columns, or rows, in the order of the partition
  DataPartition partition;
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const GraphSequence> sequence;  // whose edges all are in it; null if the topology does not change
  NetworkFacts facts;
  bool has_eigenvalues = true;                     // whether those of the facts were computed
  std::optional<Network> network;                  // the links; always there in what assemble() gives, like compute
  std::optional<ComputeModel> compute;             // the agents' speeds
  WorldModel model;                                // what holds beside them
  CostModel costs;                                 // what that costs
  std::shared_ptr<const Optimum> optimum;          // null if the scenario does not want it, or numerics are off
  std::function<double()> initial;                 // F(0)
  std::shared_ptr<const CachedReference> central;  // the algorithm's input about all data
  std::shared_ptr<const ShardSpectra> spectra;     // and of each agent's
  std::shared_ptr<const Algorithm> algorithm;
  RecordedMetrics metrics;
  Remarks warnings;
  FileDigests read;                          // the files that it was made from
  std::shared_ptr<const Experiment> origin;  // whose parts it has, if it was made by in_other_times()

  bool has_numbers() const { return !scenario.timing_only(); }
  /// The input of its world, simulated or real.
  SimulationOptions simulation_options(unsigned threads, bool timing_only) const;
  /// A fresh world with every agent's coroutine in it; the experiment must outlive it. `timing_only`: its agents
  /// compute nothing, whether or not the experiment has numbers.
  std::unique_ptr<Simulation> simulation(unsigned threads, bool timing_only) const;
  std::unique_ptr<Simulation> simulation(unsigned threads) const { return simulation(threads, !has_numbers()); }
};

}  // namespace lagnet
