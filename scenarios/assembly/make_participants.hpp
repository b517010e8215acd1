#pragma once

#include <optional>
#include <vector>

#include "scenarios/assembly/experiment.hpp"

/// Which clients a server asks in a round, and which of them attack. Problems are added to the diagnostics.
namespace lagnet {

/// How many clients each round asks, where that is one number.
std::optional<Index> cohort_of(const Experiment& made);

/// The clients whose answers a round may take, at most.
Index most_asked(const Experiment& made);

/// Checks whom the rounds may ask of a method that needs every message, but not of all clients.
void check_cohorts(const Experiment& made, Diagnostics& diagnostics);

/// Clients that attack, of an algorithm that takes them. Answers of late ones are held back by a rule of made.model.
Attackers make_attackers(Experiment& made, Diagnostics& diagnostics);

/// How the server of an algorithm chooses clients itself, where the scenario leaves it to it.
Selection make_selection(const Experiment& made, Diagnostics& diagnostics);

/// Of each agent at the start, in flops per second, for a server that goes by them; else empty.
std::vector<double> speeds_of(const Experiment& made);

}  // namespace lagnet
