#pragma once

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/data/data_share.hpp"

/// The optimization problem of a scenario whose data are there.
namespace lagnet {

/// Loss, regularizer, constraint and, with a topology, the parts of the data that agents hold; for a share, its own
/// division. Adds problems to the diagnostics.
void make_problem(Experiment& made, const DataShare* share, Diagnostics& diagnostics);

/// Where a server starts; empty for zero.
Vector made_start(const Experiment& made, Diagnostics& diagnostics);

/// Sets F(0). Where agents weigh alike that hold different numbers of samples, F is not the objective of the pooled
/// samples, and its optimum is solved for here.
void weigh_agents(Experiment& made);

}  // namespace lagnet
