#pragma once

#include <optional>
#include <string>

#include "sim/accounts/ledger.hpp"
#include "sim/base/remark.hpp"
#include "sim/world/network.hpp"
#include "sim/world/world_model.hpp"

namespace lagnet {

/// The remark on a run in which many neighbors cost no more time than one: that messages share nothing by choice, or
/// that they leave through interfaces without a bandwidth where one as fast as a link would have made the run longer by
/// a tenth or more. Nothing where no agent has two neighbors, or where interfaces have bandwidths.
std::optional<Remark> free_neighbors(const Network& network, Sharing sharing, const Ledger& ledger, Time end);

}  // namespace lagnet
