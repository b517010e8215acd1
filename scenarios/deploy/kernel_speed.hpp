#pragma once

#include "scenarios/assembly/experiment.hpp"

namespace lagnet {

/// The flops per second at which this computer computes what agents compute most: a product with the agent's own part
/// of X, billed as agents bill it. Of samples it is the gradient of their losses, of features the product X_j' lambda;
/// an agent that holds neither, as a server, and holders of cells multiply the whole X. The median of products for at
/// least 0.1 s.
double measured_flops_per_s(const Experiment& experiment, AgentId agent);

}  // namespace lagnet
