#pragma once

#include <vector>

#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// What each agent finds alone: for every i the minimizer of the objective on the rows starts[i] .. starts[i+1] - 1,
/// each a mean over these rows and the whole regularizer (d). Throws Diagnosed where some rows have no minimizer.
std::vector<Vector> own_minimizers(const Problem& problem, const std::vector<Index>& starts);

}  // namespace lagnet
