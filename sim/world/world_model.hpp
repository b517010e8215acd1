#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/world/availability.hpp"
#include "sim/world/ciphers.hpp"
#include "sim/world/clocks.hpp"
#include "sim/world/faults.hpp"
#include "sim/world/missing.hpp"
#include "sim/world/network.hpp"
#include "sim/world/participation.hpp"
#include "sim/world/tcp_options.hpp"
#include "sim/world/topology_schedule.hpp"

namespace lagnet {

/// How messages share the bandwidth of links and interfaces.
enum class Sharing {
  none,  // every message as if alone, as fast as the slowest of link and interfaces
  fifo,  // one after the other through sender's interface, link and receiver's interface
  fair   // all at once at max-min fair rates; the latency passes before the transfer, as in SimGrid
};

/// When a message under Sharing::fifo goes on from one interface or link to the next.
enum class Forwarding {
  cut_through,       // from its first bit on
  store_and_forward  // when all of it is there
};
/// In which order a broadcast of agent a sets out.
enum class SendOrder {
  rotated,   // to a + 1, a + 2, .., 0, 1, .. a - 1
  ascending  // to 0, 1, ..
};

/// The properties of a world other than its links and speeds. The default is a world without faults.
struct WorldModel {
  Sharing sharing = Sharing::none;
  Forwarding forwarding = Forwarding::cut_through;  // under fifo, as is the next one
  SendOrder send_order = SendOrder::rotated;
  bool in_order = true;                                  // messages of a link come in the order in which they set out
  std::optional<TcpOptions> tcp;                         // nothing: no connections, as if always open and wide
  std::vector<std::shared_ptr<const FaultRule>> faults;  // in the order in which they are asked
  Repair repair;
  std::shared_ptr<const Availability> availability;  // null: all agents are always up
  std::shared_ptr<const TopologySchedule> topology;  // null: all links, always
  MissingNeighbor missing;
  std::shared_ptr<const Participation> participation;  // null: all clients, every round
  RoundRule round_rule;                                // when a server closes a round
  CipherCosts ciphers;
  std::shared_ptr<const Clocks> clocks;  // null: as the method has it

  /// Whom a server asks in a round, out of its clients.
  std::vector<AgentId> asked(Round round, std::span<const AgentId> clients) const {
    return participation ? participation->chosen(round, clients) : std::vector<AgentId>(clients.begin(), clients.end());
  }
  /// Whether a broadcast goes to agents of higher numbers first.
  bool rotates_broadcasts() const { return sharing == Sharing::fifo && send_order == SendOrder::rotated; }
  /// Whether agents may go on without messages, or be away, and so miss rounds.
  bool may_miss_rounds() const { return availability || missing.kind != MissingNeighborKind::wait; }
  /// Whether agents go on where a neighbor has lost its state, or keeps silent.
  bool goes_on_without_all() const {
    return missing.kind != MissingNeighborKind::wait || round_rule.deadline || round_rule.enough;
  }
  /// Whether a server may have to go on without an answer: clients are away, messages are lost for good, or a round is
  /// closed before all have answered.
  bool may_lack_answers(const Network& network) const {
    return availability || round_rule.deadline || round_rule.enough || may_lose_messages(network);
  }
  /// Whether messages are lost for good: on their way over its links, or where their receiver is down.
  bool may_lose_messages(const Network& network) const {
    const bool loses =
        network.has_losses() || std::ranges::any_of(faults, [](const auto& rule) { return rule->loses(); });
    return (loses || availability) && !repair.timeout;
  }
};

}  // namespace lagnet
