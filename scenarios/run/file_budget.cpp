#include "scenarios/run/file_budget.hpp"

#include <fmt/format.h>

namespace lagnet {

namespace {

constexpr double megabyte = 1e6;

}  // namespace

std::int64_t budget_bytes(const RecordOptions& record) {
  return static_cast<std::int64_t>(record.file_budget_mb * megabyte);
}

std::optional<Remark> will_outgrow(const GrowingFile& file, Round round, const Scenario& scenario) {
  if (round < 1 || !scenario.stop.rounds || file.full_at) return std::nullopt;
  const double bytes_per_round = static_cast<double>(file.bytes) / static_cast<double>(round);
  const double all_mb = bytes_per_round * static_cast<double>(*scenario.stop.rounds) / megabyte;
  const double budget_mb = scenario.record.file_budget_mb;
  if (all_mb <= budget_mb) return std::nullopt;
  return Remark{
      file.name == "timeline.json" ? "timeline_outgrows" : "trace_outgrows",
      {{"mb", all_mb}, {"budget_mb", budget_mb}},
      fmt::format("{} would take about {:.3g} MB; it ends at {:g} MB, near round {:.0f} of {}, unless "
                  "record.file_budget_mb is raised{}",
                  file.name, all_mb, budget_mb, budget_mb * megabyte / bytes_per_round, *scenario.stop.rounds,
                  file.name == "timeline.json" ? "; record.timeline_window_s chooses a part of the run" : "")};
}

std::optional<Remark> has_ended_early(const GrowingFile& file, const RecordOptions& record) {
  if (!file.full_at) return std::nullopt;
  return Remark{file.name == "timeline.json" ? "timeline_ended_early" : "trace_ended_early",
                {{"simulated_s", file.full_at->in_seconds()}},
                fmt::format("{} ends at {:.6g} s of simulated time, after the {:g} MB of record.file_budget_mb",
                            file.name, file.full_at->in_seconds(), record.file_budget_mb)};
}

}  // namespace lagnet
