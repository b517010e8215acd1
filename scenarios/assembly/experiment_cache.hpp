#pragma once

#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "scenarios/data/data_set.hpp"
#include "scenarios/format/scenario.hpp"

namespace lagnet {

/// Names the data of a scenario: equal for scenarios with the same data.
std::string data_key(const Scenario& scenario);

/// Values by name that several threads look up, each made once. The thread that holds an entry's mutex makes the value
/// if it does not exist yet; threads that want the same entry wait, those that want other entries do not.
template <class Value>
class ComputeOnce {
 public:
  struct Entry {
    std::mutex making;
    Value value{};
  };
  /// The entry of a name, made empty if there is none. An entry may outlive this object.
  std::shared_ptr<Entry> at(const std::string& name) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& entry = entries_[name];
    if (!entry) entry = std::make_shared<Entry>();
    return entry;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
};

class CachedReference;

/// Shares data, their largest singular value and optima among the runs of one sweep, each under the part of the
/// scenario that determines it. Any number of threads may ask; one of them makes a value, and the others wait for it.
/// All data sets are kept as long as they take no more than a limit together. Beyond the limit, the cache drops an
/// unused data set when another one is requested, and makes it again on request.
class ExperimentCache {
 public:
  /// Before the first question; without it there is no limit.
  void keep_at_most(Bytes limit) { limit_ = limit; }

  std::shared_ptr<const DataSet> data(const Scenario& scenario);
  /// Norm and optimum of a scenario's problem, whose X and y are those of its data, in their own order. It keeps all of
  /// its inputs, and may outlive the cache.
  std::shared_ptr<const CachedReference> central(const Scenario& scenario, Problem problem);

  /// The memory of the data sets if all of them are kept.
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

/// Central results of one problem, computed once for all who share the cache's entries. Of a problem without X nothing
/// can be computed that is not known.
class CachedReference final : public CentralReference {
 public:
  using Norm = ComputeOnce<std::optional<double>>::Entry;
  using Best = ComputeOnce<std::shared_ptr<const Optimum>>::Entry;
  CachedReference(Problem problem, std::shared_ptr<Norm> norm, std::shared_ptr<Best> best)
      : problem_(std::move(problem)), norm_(std::move(norm)), best_(std::move(best)) {}

  double data_norm() const override;
  const Optimum& optimum() const override {
    wants_optimum_ = true;
    return *shared_optimum();
  }
  std::shared_ptr<const Optimum> shared_optimum() const;
  /// The values that an algorithm has requested so far; nothing else, even if it is known.
  std::optional<double> told_norm() const;
  std::shared_ptr<const Optimum> told_optimum() const;

 private:
  Problem problem_;
  std::shared_ptr<Norm> norm_;
  std::shared_ptr<Best> best_;
  mutable std::atomic<bool> wants_norm_ = false, wants_optimum_ = false;
};

}  // namespace lagnet
