#pragma once

#include <cstdint>

#include "sim/exchange/message.hpp"

namespace lagnet {

/// What came first: a message, the end of a computation that start() began, or the time that was waited for.
struct AgentEvent {
  enum class Kind : std::uint8_t { message, finished, time };
  Kind kind = Kind::time;
  Message message;

  AgentEvent() {}
  explicit AgentEvent(Kind what) : kind(what) {}
};

}  // namespace lagnet
