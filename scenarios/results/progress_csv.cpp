#include "scenarios/results/progress_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/result_columns.hpp"

namespace lagnet {

namespace {

/// A count, or a number that may be missing.
using Value = std::variant<std::int64_t, std::optional<double>>;

/// The value of a column that every run has.
struct ColumnValue {
  std::string_view name;
  Value (*of)(const Row& row);
};

Value seconds(Duration time) { return std::optional<double>(time.in_seconds()); }

constexpr auto values_before_metrics = std::to_array<ColumnValue>({
    {"round", [](const Row& row) -> Value { return row.round; }},
    {"simulated_s", [](const Row& row) -> Value { return std::optional<double>(row.at.in_seconds()); }},
    {"objective", [](const Row& row) -> Value { return row.objective; }},
    {"relative_error", [](const Row& row) -> Value { return row.relative_error; }},
});
constexpr auto values_after_metrics = std::to_array<ColumnValue>({
    {"messages", [](const Row& row) -> Value { return row.total.messages_sent; }},
    {"bytes", [](const Row& row) -> Value { return row.total.bytes_sent; }},
    {"flops", [](const Row& row) -> Value { return row.total.flops; }},
    {"flops_per_agent_max", [](const Row& row) -> Value { return row.flops_per_agent_max; }},
    {"round_trips",  // there and back
     [](const Row& row) -> Value { return std::optional<double>(static_cast<double>(row.total.hops) / 2); }},
    {"computing_s", [](const Row& row) -> Value { return seconds(row.total.computing); }},
    {"encrypting_s", [](const Row& row) -> Value { return seconds(row.total.encrypting); }},
    {"idle_s", [](const Row& row) -> Value { return seconds(row.total.idle); }},
    {"queueing_s", [](const Row& row) -> Value { return seconds(row.total.queueing); }},
    {"transfer_s", [](const Row& row) -> Value { return seconds(row.total.transferring); }},
    {"compute_utilization", [](const Row& row) -> Value { return std::optional<double>(row.compute_utilization); }},
    {"messages_delivered", [](const Row& row) -> Value { return row.total.messages_received; }},
    {"bytes_delivered", [](const Row& row) -> Value { return row.total.bytes_received; }},
    {"lost", [](const Row& row) -> Value { return row.total.messages_lost; }},
    {"bytes_lost", [](const Row& row) -> Value { return row.total.bytes_lost; }},
    {"retransmitted", [](const Row& row) -> Value { return row.total.retransmitted; }},
    {"late", [](const Row& row) -> Value { return row.total.late; }},
    {"superseded", [](const Row& row) -> Value { return row.total.superseded; }},
    {"duplicates", [](const Row& row) -> Value { return row.total.duplicates; }},
    {"dropped", [](const Row& row) -> Value { return row.total.dropped; }},
    {"stale", [](const Row& row) -> Value { return row.total.stale; }},
    {"participants", [](const Row& row) -> Value { return row.participants; }},
});
constexpr auto is_of = [](const ResultColumn& column, const ColumnValue& value) { return column.name == value.name; };
static_assert(std::ranges::equal(columns_before_metrics, values_before_metrics, is_of));
static_assert(std::ranges::equal(columns_after_metrics, values_after_metrics, is_of));

/// The shortest text that reads back as the same number; empty if there is none, as pandas expects of a missing value.
std::string text(std::optional<double> x) { return x ? fmt::format("{}", *x) : ""; }
std::string text(std::int64_t count) { return fmt::format("{}", count); }
std::string text(const Value& value) {
  return std::visit([](const auto& number) { return text(number); }, value);
}

}  // namespace

std::vector<std::string> progress_columns(const Experiment& assembly) {
  std::vector<std::string> columns;
  for (const ResultColumn& column : columns_before_metrics) columns.emplace_back(column.name);
  for (std::string& name : assembly.algorithm->metric_names()) columns.push_back(std::move(name));
  columns.insert(columns.end(), assembly.metrics.columns().begin(), assembly.metrics.columns().end());
  for (const ResultColumn& column : columns_after_metrics) columns.emplace_back(column.name);
  return columns;
}

std::vector<std::string> progress_values(const Row& row) {
  std::vector<std::string> values;
  for (const ColumnValue& value : values_before_metrics) values.push_back(text(value.of(row)));
  for (const auto& metric : row.metrics) values.push_back(text(metric));
  for (const ColumnValue& value : values_after_metrics) values.push_back(text(value.of(row)));
  return values;
}

ProgressFile::ProgressFile(const Experiment& assembly, const std::filesystem::path& folder)
    : path_(folder / "progress.csv"), file_(path_, std::ios::binary) {
  file_ << csv_line(progress_columns(assembly)) << std::flush;
  if (!file_) close_written(file_, path_);
}

void ProgressFile::add(const Row& row) { file_ << csv_line(progress_values(row)) << std::flush; }

void ProgressFile::close() { close_written(file_, path_); }

}  // namespace lagnet
