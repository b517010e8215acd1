#pragma once

#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/accounts/ledger.hpp"
#include "tests/property/sim/network_world.hpp"

namespace lagnet::test {

/// Knows each transmission on its way, and fails the test at the first event that contradicts the ledger, which heard
/// of it before, the network's speeds or the rules.
class NetworkWatch : public Listener {
 public:
  NetworkWatch(const NetworkWorld& world, const Network& network, const Ledger& ledger);

  void on_event(const SimEvent& what) override;
  /// What holds for an agent at any time from the last event on: it was at most up and at work, and away while down.
  void check_times(AgentId agent, Time now) const;
  /// What holds after the run: over any span of time no interface and no link has passed more than its capacity.
  void check_capacities();

  std::int64_t on_the_way() const { return static_cast<std::int64_t>(under_way_.size()); }
  using Counts = std::map<std::pair<EventKind, Cause>, std::int64_t>;
  const Counts& counts() const { return counts_; }
  std::int64_t dropped(AgentId agent) const { return dropped_[agent]; }
  /// Spans of several messages in which a capacity was used to more than nine tenths.
  std::int64_t busy_spans() const { return busy_spans_; }

 private:
  struct Flow {  // transmissions that are under way from somewhere
    std::int64_t messages = 0;
    Bytes bytes = 0;
    void add(std::int64_t more_messages, Bytes more_bytes) {
      messages += more_messages;
      bytes += more_bytes;
    }
  };
  struct Passage {  // bytes that passed within this time
    Time from, until;
    Bytes bytes = 0;
  };

  void expect(bool holds, std::string_view what, const SimEvent& at) const;
  void begin(const SimEvent& sent);
  void end(const SimEvent& what);
  void check_balance(const SimEvent& what) const;
  void check_duration(const SimEvent& delivered);
  void note_passages(const SimEvent& sent, const SimEvent& end);
  void check_capacity(std::vector<Passage> passages, double capacity);

  const NetworkWorld& world_;
  const Network& network_;
  const Ledger& ledger_;
  Time last_;
  std::uint64_t serial_ = 0;
  std::map<std::uint64_t, SimEvent> under_way_;  // by serial
  Flow total_;
  std::vector<Flow> by_sender_, by_link_;
  std::map<std::tuple<AgentId, AgentId, Round>, std::int64_t> arrived_;  // by receiver, sender, round
  std::vector<std::uint64_t> latest_;                                    // serial that arrived over each link
  std::vector<Time> latest_arrival_;                                     // likewise
  std::vector<std::int64_t> dropped_;                                    // by each agent
  std::vector<std::vector<Passage>> up_, down_, over_;
  Counts counts_;
  std::int64_t busy_spans_ = 0;
};

}  // namespace lagnet::test
