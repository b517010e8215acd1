#pragma once

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/types.hpp"

namespace lagnet {

/// A run cannot go on.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An agent's coroutine or kernel threw: contains the agent, the time and the text.
class AgentError : public RunError {
 public:
  AgentError(AgentId who, Time when, Round last_report, const std::string& what, std::exception_ptr thrown = nullptr)
      : RunError(fmt::format("agent {} at {} ns: {}", who, when.ns(), what)),
        agent(who),
        at(when),
        round(last_report),
        cause(std::move(thrown)) {}
  AgentId agent;
  Time at;
  Round round;               // of its last report; 0 before the first
  std::exception_ptr cause;  // where it ran code of the user's: what that threw; else null
};

/// Code of the user's, such as a loss in another language, threw: what() names it. It becomes an AgentError where an
/// agent ran it.
class UserCodeError : public RunError {
 public:
  UserCodeError(const std::string& what, std::exception_ptr thrown) : RunError(what), cause(std::move(thrown)) {}
  std::exception_ptr cause;  // its exception
  bool is_of_agent = true;   // else it passes through agents: what records a run ran it
};

/// An agent's kernel met numbers with which it cannot go on, such as one that is not finite: the run ends there. what()
/// says where.
class Divergence : public RunError {
 public:
  using RunError::RunError;
  Time at;  // as far as the world knows it
};

/// No event is left and agents still wait: what() has one line per waiting agent.
class Deadlock : public std::runtime_error {
 public:
  struct Waiting {
    AgentId agent;
    std::string reason;  // its wait, and the senders
  };
  Deadlock(Time when, std::vector<Waiting> who_waits);
  Time at;
  std::vector<Waiting> waiting;
};

/// A scenario asks for more than the model of the world holds, or for more work than a step may take, which only the
/// run finds out.
class WorldLimit : public RunError {
 public:
  using RunError::RunError;
};

/// A broken invariant of lagnet itself, never of a user's input.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void check_failed(const char* condition, const char* file, int line, const std::string& detail);
/// A call with values, so that a function that checks something needs neither room nor registers for the message.
template <class... Values>
[[noreturn, gnu::cold, gnu::noinline]] void check_failed_with(const char* condition, const char* file, int line,
                                                              fmt::format_string<Values...> text, Values... values) {
  check_failed(condition, file, line, fmt::vformat(text, fmt::make_format_args(values...)));
}

}  // namespace lagnet

/// Checks an internal invariant, in every build. The message is formatted only when the check fails.
#define LAGNET_CHECK(condition, ...)                                            \
  do {                                                                          \
    if (!(condition)) [[unlikely]]                                              \
      ::lagnet::check_failed_with(#condition, __FILE__, __LINE__, __VA_ARGS__); \
  } while (false)
