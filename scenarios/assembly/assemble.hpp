#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "scenarios/assembly/compute_once.hpp"
#include "scenarios/assembly/recorded_metrics.hpp"
#include "scenarios/data/data_set.hpp"
#include "scenarios/format/scenario.hpp"
#include "sim/engine/simulation.hpp"
#include "topologies/gossip.hpp"
#include "topologies/laplacian.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// Names the data of a scenario: equal for scenarios with the same data.
std::string data_key(const Scenario& scenario);

class CachedReference;

/// What the runs of one sweep share: data, their largest singular value, and optima, each by the part of the scenario
/// that determines it. Any number of threads may ask; each thing is made by one of them, for which the others wait. All
/// data sets are kept as long as they take no more than a limit together; from then on each is kept while somebody uses
/// it or nobody has asked for another one, and made again for the next who asks.
class ExperimentCache {
 public:
  /// Before the first question; without it there is no limit.
  void keep_at_most(Bytes limit) { limit_ = limit; }

  std::shared_ptr<const DataSet> data(const Scenario& scenario);
  /// Norm and optimum of a scenario's problem, whose X and y are those of its data, in their own order. It keeps all
  /// that it computes them from, and may be asked when the cache is gone.
  std::shared_ptr<const CachedReference> central(const Scenario& scenario, Problem problem);

  /// What the data sets take if all of them are kept.
  std::optional<Bytes> kept_bytes() const;

 private:
  void make_room();
  void keep(const std::shared_ptr<const DataSet>& data, bool is_new);

  ComputeOnce<std::weak_ptr<const DataSet>> data_;
  ComputeOnce<std::optional<double>> norms_;
  ComputeOnce<std::shared_ptr<const Optimum>> optima_;
  Bytes limit_ = std::numeric_limits<Bytes>::max();
  mutable std::mutex keeping_;
  Bytes met_bytes_ = 0;                               // of all data sets that were made
  std::vector<std::shared_ptr<const DataSet>> kept_;  // beyond the limit the one that was asked for last
};

/// Central results of one problem, computed once for all who share the cache's entries.
class CachedReference final : public CentralReference {
 public:
  using Norm = ComputeOnce<std::optional<double>>::Entry;
  using Best = ComputeOnce<std::shared_ptr<const Optimum>>::Entry;
  CachedReference(Problem problem, std::shared_ptr<Norm> norm, std::shared_ptr<Best> best)
      : problem_(std::move(problem)), norm_(std::move(norm)), best_(std::move(best)) {}

  double data_norm() const override;
  const Optimum& optimum() const override { return *shared_optimum(); }
  std::shared_ptr<const Optimum> shared_optimum() const;

 private:
  Problem problem_;
  std::shared_ptr<Norm> norm_;
  std::shared_ptr<Best> best_;
};

/// A scenario made into things.
struct Experiment {
  Scenario scenario;
  std::shared_ptr<const DataSet> data;
  AlgorithmTraits traits;  // of the algorithm's agents
  Problem problem;         // its columns, or rows, in the order of the partition
  DataPartition partition;
  std::unique_ptr<Topology> topology;
  NetworkFacts facts;
  bool has_eigenvalues = true;             // whether those of the facts were computed
  std::optional<Network> network;          // the links; always there in what assemble() gives, like compute
  std::optional<ComputeModel> compute;     // the agents' speeds
  WorldModel rules;                        // what holds beside them
  std::shared_ptr<const Optimum> optimum;  // null if the scenario does not want it, or numerics are off
  std::function<double()> initial;         // F(0)
  std::unique_ptr<Algorithm> algorithm;
  RecordedMetrics metrics;
  std::vector<std::string> warnings;

  bool has_numbers() const { return !scenario.timing_only(); }
  /// A fresh world with every agent's coroutine in it; the assembly must outlive it.
  std::unique_ptr<Simulation> simulation(unsigned threads) const;
};

/// Reads or makes the data, draws the topology and sets the algorithm up. Throws ScenarioError with every problem of
/// network, speeds, participation, data, topology, partition and algorithm that can be told; `shown` names the file
/// in them.
Experiment assemble(const Scenario& scenario, const std::string& shown, ExperimentCache& cache);

/// The part of that for which no data are needed: throws ScenarioError with every problem of topology, network, speeds
/// and participation.
void check_world(const Scenario& scenario, const std::string& shown);

/// The scenario's topology, with every edge of any round where it changes. Throws ScenarioError if it cannot be made or
/// is not connected; `shown` names the file in it.
Topology make_topology(const Scenario& scenario, const std::string& shown);

/// What an algorithm may know of a topology; the eigenvalues are left at 0 if they are not asked for.
NetworkFacts network_facts(const Topology& topology, bool with_eigenvalues = true);
/// The gossip matrix among them. Throws TopologyError if W is none for this topology.
void add_gossip(NetworkFacts& facts, const Topology& topology, const SparseMatrix& w);

}  // namespace lagnet
