#include "scenarios/results/progress_csv.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "scenarios/files/csv_records.hpp"
#include "scenarios/format/result_columns.hpp"

namespace lagnet {

namespace {

/// The shortest text that reads back as the same number; empty if there is none, as pandas expects of a missing value.
std::string text(std::optional<double> x) { return x ? fmt::format("{}", *x) : ""; }
std::string seconds(Time at) { return text(at.in_seconds()); }

}  // namespace

std::string progress_csv(const Experiment& assembly, const Outcome& outcome) {
  std::string csv = csv_line(progress_columns(assembly));
  for (const Row& row : outcome.rows) csv += csv_line(progress_values(row));
  return csv;
}

std::vector<std::string> progress_columns(const Experiment& assembly) {
  std::vector<std::string> columns(columns_before_metrics.begin(), columns_before_metrics.end());
  for (std::string& name : assembly.algorithm->metric_names()) columns.push_back(std::move(name));
  columns.insert(columns.end(), assembly.metrics.columns().begin(), assembly.metrics.columns().end());
  columns.insert(columns.end(), columns_after_metrics.begin(), columns_after_metrics.end());
  return columns;
}

std::vector<std::string> progress_values(const Row& row) {
  std::vector<std::string> values{fmt::format("{}", row.round), seconds(row.at), text(row.objective),
                                  text(row.relative_error)};
  for (const auto& metric : row.metrics) values.push_back(text(metric));
  const AgentAccount& total = row.total;
  for (const std::int64_t count : {total.messages_sent, total.bytes_sent, total.flops, row.flops_per_agent_max})
    values.push_back(fmt::format("{}", count));
  values.push_back(text(static_cast<double>(total.hops) / 2));  // there and back
  for (const Duration time : {total.computing, total.encrypting, total.idle, total.queueing, total.transferring})
    values.push_back(text(time.in_seconds()));
  values.push_back(text(row.compute_utilization));
  for (const std::int64_t count :
       {total.messages_received, total.bytes_received, total.messages_lost, total.bytes_lost, total.retransmitted,
        total.late, total.superseded, total.duplicates, total.dropped, total.stale, row.participants})
    values.push_back(fmt::format("{}", count));
  return values;
}

}  // namespace lagnet
