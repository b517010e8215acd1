#pragma once

#include "scenarios/data/preprocess.hpp"

namespace lagnet {

/// X scaled. For max_abs `divisors` gets what each column was divided by (features); otherwise it is left alone.
DataMatrix scaled(const DataMatrix& X, Scaling scaling, Vector& divisors);

}  // namespace lagnet
