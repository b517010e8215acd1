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

  struct Transfer {
    Number number = 0;
    AgentId from = 0;
    LinkId link = no_link;
    LinkId path = no_link;     // of the network, when it departs
    std::uint32_t places = 0;  // those of its path that it uses
    Bytes bytes = 0;
    bool in_order = false;  // with others of its link that are, it starts and is handed over as they set out
  };

  /// Of a network that outlives it.
  explicit FairTransfers(const Network& network);

  void start(Time now, const Transfer& transfer);
  /// The transfers that have ended by now, until the next call.
  const std::vector<Ended>& finish(Time now);
  /// Adds to `ready` what can be handed over since this one has ended: itself and, if it is in order, those behind it
  /// that have ended, unless one before it has not.
  void hand_over(Number number, LinkId link, std::vector<Number>& ready);

  bool is_idle() const { return flows_.flows() == 0; }
  /// When a transfer ends or a bandwidth changes next, so that finish() is due. never() is after all simulated time.
  Time next(Time now) const;
  /// How many have started and were not handed over.
  std::int64_t under_way() const { return static_cast<std::int64_t>(flows_.flows()) + held_; }

 private:
  struct InOrder {
    Number number = 0;
    bool is_over = false;
  };
  static constexpr Number none = ~Number{0}, several = none - 1;
  void set_capacities(Time now);
  void find_path(const Transfer& transfer);
  void line_up(Number number, LinkId link);

  const Network& network_;
  std::vector<ResourceId> changing_;  // those whose bandwidth changes
  FluidFlows flows_;                  // over the resources of the network
  std::vector<Number> number_of_flow_;
  std::vector<Ended> ended_;
  std::vector<ResourceId> path_;                     // of the one that starts
  std::vector<double> uses_;                         // what a byte of it uses of each; empty without media
  std::int64_t held_ = 0;                            // those that are over, but for others before them
  std::vector<Number> only_one_;                     // in order: the transfer over a link, none or several
  std::map<LinkId, std::deque<InOrder>> under_way_;  // and the several
};

}  // namespace lagnet
