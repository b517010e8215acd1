#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/result_columns.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/base/remark.hpp"
#include "sim/base/sim_event.hpp"
#include "sim/world/network.hpp"
#include "sim/world/world_model.hpp"

/// Remarks on how a network carried the messages of a run.
namespace lagnet {

/// The remark on a run in which many neighbors cost no more time than one: that messages share nothing by choice, or
/// that they leave through interfaces without a bandwidth where one as fast as a link would have made the run longer by
/// a tenth or more. Nothing where no agent has two neighbors, or where interfaces have bandwidths.
std::optional<Remark> free_neighbors(const Network& network, Sharing sharing, const Ledger& ledger, Time end);

/// A remark if forwarding or the order of sending is unlike the usual one and has no effect, since sharing is not fifo.
std::optional<Remark> only_under_fifo(const WorldModel& model);

/// A remark if messages queue without limit: those in flight grow like the time, from a quarter of the run to its half
/// and to its end, to several on each of `links`. With the cure; nothing where they do not, or too few rows say.
std::optional<Remark> growing_queues(const std::vector<Row>& rows, LinkId links);

}  // namespace lagnet
