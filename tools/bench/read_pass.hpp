#pragma once

#include "sim/base/array.hpp"

namespace lagnet::bench {

/// Reads every entry of a dense matrix once, in the order of memory, and does next to nothing with it: the least that
/// an iteration over that matrix can cost. The value hangs on all entries, so that no read can be left out.
double read_pass(const Matrix& X);

}  // namespace lagnet::bench
