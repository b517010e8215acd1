#pragma once

#include <array>
#include <string_view>

/// Names of columns that result files always have, and that metrics therefore cannot take.
namespace lagnet {

/// The columns of progress.csv that every run has, before and after its metrics.
inline constexpr std::array<std::string_view, 4> columns_before_metrics{"round", "simulated_s", "objective",
                                                                        "relative_error"};
// clang-format off
inline constexpr std::array<std::string_view, 22> columns_after_metrics{
    "messages", "bytes", "flops", "flops_per_agent_max", "round_trips",
    "computing_s", "encrypting_s", "idle_s", "queueing_s", "transfer_s",
    "compute_utilization", "messages_delivered", "bytes_delivered", "lost", "bytes_lost",
    "retransmitted", "late", "superseded", "duplicates", "dropped",
    "stale", "participants"};
// clang-format on

/// Whether every run has a column of this name.
bool is_common_column(std::string_view name);

/// Whether sweep.csv has, or may have, a column of that name that progress.csv has not: a pointer names a swept value.
bool is_column_of_sweeps(std::string_view name);

}  // namespace lagnet
