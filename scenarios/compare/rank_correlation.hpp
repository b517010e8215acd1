#pragma once

#include <vector>

#include "scenarios/compare/claims.hpp"

namespace lagnet {

/// Spearman's coefficient: the correlation of the ranks of a and b, those of equal numbers being their mean, from -1 to
/// 1. Not a number where all of a, or all of b, are equal. Both have the same length, two or more.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

/// Over the runs that match, each by itself. Throws OutputError for fewer than three.
Finding has_rank_correlation(const RankCorrelationClaim& claim, const Evidence& evidence);

}  // namespace lagnet
