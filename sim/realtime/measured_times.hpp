#pragma once

#include <cstdint>

#include "sim/base/sim_event.hpp"
#include "sim/base/types.hpp"

/// The real duration of an event that a process has already reported, known only later.
namespace lagnet {

/// A message has waited for those before it to the same process, or for a connection, from when it was sent.
struct QueueWait {
  LinkId link = no_link;
  std::uint64_t serial = 0;  // of the events that are of this message
  Duration duration;
};

/// A computation has lasted longer than the compute model had it: as long as its kernel, and those of other agents of
/// the process that the same thread ran before the agent could go on.
struct WorkTime {
  AgentId agent = 0;
  std::int64_t number = 0;  // which of its events that say computed or encrypted, from 1
  Duration duration;
};

}  // namespace lagnet
