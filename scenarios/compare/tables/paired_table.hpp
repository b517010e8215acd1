#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"

namespace lagnet {

/// The difference of each series to the baseline, over the seeds that both have.
TablePair paired_table(const std::vector<ComparedSeries>& measured, std::size_t baseline,
                       const CompareOptions& options);

}  // namespace lagnet
