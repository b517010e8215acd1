#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "sim/transport/fluid_flows.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// Messages under Sharing::fair: each is a flow over the resources of its path at once, after the latency of all of it.
class FairTransfers {
 public:
  using Number = std::uint32_t;  // a transfer's, by which its caller knows it
  struct Ended {
    Number number = 0;
    double held_up = 0;  // the share of its time in which the last resource of its path was its bottleneck
  };

  /// Of a network that outlives it. In order, the transfers over a link start and are handed over as they set out.
  FairTransfers(const Network& network, bool in_order);

  /// When the next one over a link starts that could at `at`: in order, not before earlier ones.
  Time start_of_next(LinkId link, Time at);
  /// Starts one over the first `places` of its path.
  void start(Time now, Number number, AgentId from, LinkId link, std::uint32_t places, Bytes bytes);
  /// The transfers that have ended by now, until the next call.
  const std::vector<Ended>& finish(Time now);
  /// Adds to `ready` what can be handed over since this one has ended: itself and, in order, those behind it that have
  /// ended, unless one before it has not.
  void hand_over(Number number, LinkId link, std::vector<Number>& ready);

  bool is_idle() const { return flows_.flows() == 0; }
  /// When finish() is due: a transfer ends, or a bandwidth changes. never() for what would end after all simulated
  /// time.
  Time next(Time now) const;
  /// How many have started and were not handed over.
  std::int64_t under_way() const { return static_cast<std::int64_t>(flows_.flows()) + held_; }

 private:
  struct InOrder {
    Number number = 0;
    bool is_over = false;
  };
  void set_capacities(Time now);

  const Network& network_;
  const bool in_order_;
  std::vector<ResourceId> changing_;  // those whose bandwidth changes
  FluidFlows flows_;                  // over the resources of the network
  std::vector<Number> number_of_flow_;
  std::vector<Ended> ended_;
  std::vector<ResourceId> path_;                     // of the one that starts
  std::int64_t held_ = 0;                            // those that are over, but for others before them
  std::map<LinkId, std::deque<InOrder>> under_way_;  // in order: the transfers over a link
  std::vector<Time> latest_start_;                   // likewise, of each link
};

}  // namespace lagnet
