#pragma once

#include "scenarios/assembly/experiment.hpp"

/// The optimization problem of a scenario whose data are there.
namespace lagnet {

/// Loss, regularizer, constraint and, where there is a topology, who holds which part of the data. Adds what is wrong
/// to the diagnostics.
void make_problem(Experiment& made, Diagnostics& diagnostics);

/// Where a server starts; empty for zero.
Vector made_start(const Experiment& made, Diagnostics& diagnostics);

/// If F is the mean of the agents' means and they hold different numbers of samples, F is not the mean over the data.
/// Its optimum and F(0) are then those of another pooled problem, if one exists.
void weigh_agents_equally(Experiment& made);

}  // namespace lagnet
