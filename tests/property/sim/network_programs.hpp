#pragma once

#include <set>

#include "sim/engine/simulation.hpp"
#include "tests/property/sim/network_world.hpp"

/// What the agents of random worlds do. Every wait ends by itself, or is one that all agents take part in.
namespace lagnet::test {

/// What an agent computed, and what it saw of the world.
struct ProgramState {
  double value = 1;
  Time clock;  // as of the last look
  bool clock_went_back = false;
  bool took_one_twice = false;  // in a collection or an exchange
  bool miscounted = false;      // a sum or an exchange has not the values that it says
  std::int64_t expected = 0;    // messages of exchanges, where none was missing
  std::int64_t unanswered = 0;  // members of cohorts that did not answer
  std::int64_t mail = 0;        // messages taken from collections and receive()
  double sent = 0;              // bodies, which are numbered by it
  std::set<double> numbers;     // of those taken
};

/// Gives each agent of the world its program; `states` has one for each agent and outlives the run.
void spawn_programs(const NetworkWorld& world, Simulation& sim, std::vector<ProgramState>& states);

}  // namespace lagnet::test
