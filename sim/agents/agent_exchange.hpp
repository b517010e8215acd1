#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/agents/agent_state.hpp"
#include "sim/base/state_vector.hpp"

namespace lagnet {

/// Exchanges of an agent with all its neighbors: one kind waits for every neighbor, the other may go on without some.
/// Where links go one way, an agent sends to neighbors() and waits for in_neighbors().
class AgentExchange : public AgentState {
 protected:
  using AgentState::AgentState;
  ~AgentExchange() = default;

  /// Sends to every neighbor. For a sum, `row` has the weights (null: ones), and `taker` gets the pieces.
  void begin_exchange(Payload body, Waiting kind, const GossipRow* row, SumSink taker);
  /// Sends each neighbor a body of its own, in the order of neighbors().
  void begin_exchange_of_each(std::span<const StateVector> bodies);
  std::vector<Message> take_exchange();
  StateVector take_sum();
  void finish_pieces();

  /// The neighbors, by their places, whose values the last exchange does not contain.
  std::span<const std::uint32_t> absent_neighbors() const;
  /// Round to go on with after a finished one.
  Round round_after(Round finished);
  /// Of in_neighbors(), by their places: whose links the round of the next exchange has. All, unless the topology
  /// changes from round to round.
  std::vector<bool> senders_of_round() const;
  /// How many of neighbors() it has links to.
  Index receivers_of_round() const;

  // Arrivals

  void put_strictly(const Message& message, std::uint32_t slot) {
    if (!wait_state().inbox.put(message, slot, in_neighbors().size())) put_further(message, slot);
    check_ready();
  }
  bool put_loosely(Message&& message, std::uint32_t slot);  // false if it is of no use

  // The sum that is due

  bool prepare_due_sum();  // true if it is due at once
  NeighborSum sum_to_add();
  void need_pieces();

 private:
  bool adds() const { return wait_state_->summing && wait_state_->summing->has_numbers; }  // in the present exchange
  LossyExchange& loose();
  /// `bodies`: one for each neighbor; empty: all get that of the message.
  void begin_loose_exchange(Message&& message, std::span<const StateVector> bodies);
  void close_loose_exchange();
  void collect_rows();
  void collect_row(const Payload& body, std::size_t slot);
  void clear_inbox();
  Message taken_from(const LockstepInbox::Entry& entry, std::size_t slot);
  void put_further(const Message& message, std::uint32_t slot);
};

}  // namespace lagnet
