#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/agents/agent.hpp"
#include "tools/python/module/compressed.hpp"

/// The awaitables of an agent in Python.
namespace lagnet::python {

/// The numbers are those of lagnet/agents.py.
enum class Wait {
  compute = 0,
  mix = 1,
  sum = 2,
  exchange = 3,
  collect = 4,
  receive = 5,
  receive_latest = 6,
  receive_until = 7,
  next_event = 8,
  sleep = 9,
  arrivals = 10,
  encrypt = 11,
  decrypt = 12,
  add_ciphertexts = 13,
  ask = 14,
  update = 15
};

struct Request {
  Wait what = Wait::compute;
  Cost work;
  std::int64_t number = 0;  // of an update, or a count
  Round round = 0;
  MessageTag tag = 0;
  Time until = Time::never();
  Duration duration;
  Sent sent;
  std::optional<std::vector<AgentId>> members;
};

/// From the object that an await handed down. Throws TypeError and ValueError.
Request request_of(const Agent& me, pybind11::handle awaited);

}  // namespace lagnet::python
