#pragma once

#include <array>
#include <string_view>

/// Columns that result files always have, and that metrics therefore cannot take the names of.
namespace lagnet {

struct ResultColumn {
  std::string_view name;
  std::string_view unit;  // "1" where it has none
};

/// The columns of progress.csv that every run has, before and after its metrics. Their values stand in
/// scenarios/results/progress_csv.cpp, which does not compile unless it has one for each of these names.
inline constexpr auto columns_before_metrics =
    std::to_array<ResultColumn>({{"round", "1"}, {"simulated_s", "s"}, {"objective", "1"}, {"relative_error", "1"}});
inline constexpr auto columns_after_metrics = std::to_array<ResultColumn>({{"messages", "messages"},
                                                                           {"bytes", "B"},
                                                                           {"flops", "flop"},
                                                                           {"flops_per_agent_max", "flop"},
                                                                           {"round_trips", "round trips"},
                                                                           {"computing_s", "s"},
                                                                           {"encrypting_s", "s"},
                                                                           {"idle_s", "s"},
                                                                           {"queueing_s", "s"},
                                                                           {"transfer_s", "s"},
                                                                           {"compute_utilization", "1"},
                                                                           {"messages_delivered", "messages"},
                                                                           {"bytes_delivered", "B"},
                                                                           {"lost", "messages"},
                                                                           {"bytes_lost", "B"},
                                                                           {"retransmitted", "messages"},
                                                                           {"late", "messages"},
                                                                           {"superseded", "messages"},
                                                                           {"duplicates", "messages"},
                                                                           {"dropped", "messages"},
                                                                           {"stale", "messages"},
                                                                           {"participants", "agents"}});

/// Whether every run has a column of this name.
bool is_common_column(std::string_view name);

/// Whether sweep.csv has, or may have, a column of that name that progress.csv has not: a pointer names a swept value.
bool is_column_of_sweeps(std::string_view name);

}  // namespace lagnet
