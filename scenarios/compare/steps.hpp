#pragma once

#include "scenarios/compare/claims.hpp"

/// Claims about the steps of a column, from one recorded row of a run to the next.
namespace lagnet {

/// Both throw OutputError where no run matches, or one has fewer than two rows that count.
Finding has_trend(const TrendClaim& claim, const Evidence& evidence);
Finding has_jump(const JumpClaim& claim, const Evidence& evidence);

}  // namespace lagnet
