#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/accounts/ledger.hpp"
#include "sim/base/remark.hpp"
#include "sim/engine/simulation.hpp"

namespace lagnet {

/// A run, as its recorders see it: simulated, or replayed from the records of processes.
class RecordedWorld {
 public:
  virtual ~RecordedWorld() = default;
  /// "tcp" where agents were processes; "" where all is simulated.
  virtual std::string_view runtime() const { return {}; }
  virtual const Network& network() const = 0;
  virtual const WorldModel& model() const = 0;
  virtual void listen(Listener& listener) = 0;
  virtual void record(Recorder& recorder) = 0;
  /// Lets it look at that time first; see Simulation::watch.
  virtual void watch(Watcher& watcher, Time first) = 0;
  virtual void watch_this_instant() = 0;

  virtual Ending run() = 0;
  virtual Time now() const = 0;
  /// Ends the run. False if it already has an end, which then stays.
  virtual bool stop() = 0;
  /// The activities that its end cut off, by agent.
  virtual std::vector<SimEvent> waits_under_way() const = 0;
  /// What happened at each resource that has an effect, if some lie between agents and it is known; `ledger` has
  /// listened.
  virtual std::optional<AccountsOfResources> resource_accounts(const Ledger&) const { return std::nullopt; }
  /// Remarks on the run for the user.
  virtual Remarks remarks() const { return {}; }
};

}  // namespace lagnet
