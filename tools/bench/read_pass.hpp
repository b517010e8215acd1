#pragma once

#include "algorithms/problem/data_matrix.hpp"

namespace lagnet::bench {

/// Reads every entry of a dense matrix once, in the order of memory, and does next to nothing with it: the least that
/// an iteration over that matrix can cost. The value hangs on all entries, so that no read can be left out.
double read_pass(const DenseView& X);

}  // namespace lagnet::bench
