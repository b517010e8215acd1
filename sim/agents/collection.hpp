#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/exchange/message.hpp"

namespace lagnet {

/// The answers that an agent collects: of one round and tag, from the members of a cohort, until enough are there or
/// the deadline has passed.
struct Collection {
  Round round = 0;
  MessageTag tag = 0;
  std::vector<AgentId> cohort;        // ascending, each once
  std::vector<std::uint32_t> slots;   // of the members: their places among the neighbors
  std::vector<std::uint32_t> places;  // by slot: 1 + the place in the cohort, 0 for others
  std::vector<bool> came;             // whether a message of this member is there
  std::size_t answered = 0;           // members of whom one is
  std::size_t enough = 0;
  bool expired = false;
  bool closed() const { return expired || answered >= enough; }
};

}  // namespace lagnet
