#pragma once

#include <compare>
#include <map>
#include <vector>

#include "sim/base/sim_event.hpp"
#include "sim/exchange/message.hpp"
#include "sim/world/missing.hpp"

namespace lagnet {

/// Which exchange: of which round, and which of that round, from 1.
struct ExchangeKey {
  Round round = 0;
  std::uint32_t number = 0;
  auto operator<=>(const ExchangeKey&) const = default;
};

/// The messages of exchanges that may go on without some of them: where messages can be missing, or the neighbors
/// change from round to round. Neighbors may be any number of exchanges ahead or behind. A neighbor is known by its
/// slot, its place among those that send to this agent.
class LossyInbox {
 public:
  LossyInbox(std::size_t neighbors, MissingNeighbor policy);

  /// Waits for an exchange from now on, with the neighbors whose slots are marked.
  void begin(ExchangeKey key, std::vector<bool> expected);
  /// Takes a message; or says why it is not needed: late, or a duplicate. A late value is still the last one from its
  /// neighbor, for reuse.
  EventKind put(Message message, std::uint32_t slot);
  /// Stops waiting for messages.
  void expire() { expired_ = true; }
  bool complete() const { return expired_ || missing_ == 0; }
  ExchangeKey key() const { return key_; }

  /// Ends the exchange and gives a message for each slot, an absent one if there is none to use. `gone_without` gets
  /// each expected slot without a message of this very exchange, and the reason, even if an older value replaces it.
  /// `outdated` gets messages of exchanges that the agent never began.
  struct Gap {
    std::uint32_t slot;
    Cause why;
  };
  static bool is_there(const Message& message) { return message.exchange > 0; }  // a body may be empty
  std::vector<Message> take(std::vector<Gap>& gone_without, std::vector<Message>& outdated);

  /// Takes out the messages that wait for exchanges which will never begin.
  std::vector<Message> discard();
  /// The latest round from which a message waits here; -1 if none does.
  Round newest_round() const;
  std::vector<std::uint32_t> waited_for() const;  // slots

 private:
  bool has_come(std::size_t slot) const;
  bool moved_on(std::size_t slot) const;

  MissingNeighbor policy_;
  ExchangeKey key_;  // awaited, or ended last
  bool waiting_ = false;
  bool expired_ = false;
  std::size_t missing_ = 0;  // expected neighbors that are still waited for
  std::vector<bool> expected_;
  std::vector<std::vector<Message>> pending_;           // by slot: of this exchange and later ones
  std::vector<std::map<std::uint32_t, Message>> last_;  // by slot, then by the exchange's number in its round
};

}  // namespace lagnet
