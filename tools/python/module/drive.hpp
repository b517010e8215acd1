#pragma once

#include <pybind11/pybind11.h>

#include "sim/agents/agent.hpp"
#include "sim/agents/task.hpp"
#include "tools/python/module/agent_handle.hpp"

/// The bridge between coroutines: Python's await hands a request down to the C++ coroutine of the agent, which waits
/// for it in simulated time and sends the answer up. Everything runs on the thread of the simulation, which holds the
/// interpreter's lock while Python code runs and not while it waits.
namespace lagnet::python {

/// Awaits `role` ("run", "serve", "train") of a method for one agent. Its exception ends the run, as in in_python().
Task<> drive(Agent& me, AgentFacts facts, pybind11::handle method, const char* role);

}  // namespace lagnet::python
