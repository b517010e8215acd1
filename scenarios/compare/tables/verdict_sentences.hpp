#pragma once

#include <vector>

#include "scenarios/compare/tables/verdict.hpp"

namespace lagnet {

/// Fills in the sentences of a verdict whose rows are there.
void put_into_words(ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured,
                    const CompareOptions& options);

}  // namespace lagnet
