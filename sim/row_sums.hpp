#pragma once

#include <cstddef>
#include <span>

#include "sim/array.hpp"

namespace lagnet {

/// sum(i) = start(i) + weights[0] rows[0][i] + weights[1] rows[1][i] + ..., added in this order, entry by entry; no
/// weights stand for ones. The order is that of the rows, whatever blocking the code uses, so results are the same
/// bits. `sum` holds the start.
void add_rows(std::span<const double* const> rows, std::span<const double> weights, Eigen::Ref<Vector> sum);

}  // namespace lagnet
