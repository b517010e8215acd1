#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <optional>

#include "sim/agents/agent.hpp"
#include "sim/agents/task.hpp"
#include "tools/python/module/agent_handle.hpp"

/// The bridge between coroutines: Python's await hands a request down to the C++ coroutine of the agent, which waits
/// for it in simulated time and sends the answer up. Everything runs on the thread of the simulation, which holds the
/// interpreter's lock while Python code runs and not while it waits.
namespace lagnet::python {

/// What an agent in Python ended with.
struct PythonError {
  AgentId agent = 0;
  Round round = -1;  // of its latest report; -1 before the first
  std::exception_ptr cause;
};
/// What is no error of a method, such as Ctrl-C, ends all runs of a call. It is no std::exception, which would be a
/// result of a sweep's point. The cause is that of take_python_error().
struct PythonInterruption {};

/// Of the run that ended last, and then no more; nothing if no agent raised anything. One thread runs one simulation.
std::optional<PythonError> take_python_error();

/// Awaits `role` ("run", "serve", "train") of a method for one agent. What it raises ends the run.
Task<> drive(Agent& me, AgentFacts facts, pybind11::handle method, const char* role);

}  // namespace lagnet::python
