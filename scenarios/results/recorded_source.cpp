#include "scenarios/results/recorded_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/result_columns.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

namespace {

ErrorScale error_scale_of(const Json& summary) {
  ErrorScale scale;
  const Json start = summary.value("objective_start", Json()), optimum = summary.value("optimum", Json::object());
  if (!start.is_number()) {
    scale.initial = std::numeric_limits<double>::quiet_NaN();  // nothing to measure by
    return scale;
  }
  scale.initial = start.get<double>();
  if (!optimum.value("value", Json()).is_number()) return scale;
  scale.optimum = optimum["value"].get<double>();
  scale.floor = optimum.value("smallest_error", scale.floor);
  return scale;
}

std::optional<double> cell(const ProgressTable& table, std::size_t column, std::size_t row) {
  return table.empty[column][row] ? std::nullopt : std::optional(table.values[column][row]);
}

}  // namespace

RecordedSource read_source(const std::filesystem::path& folder) {
  if (const std::string damage = folder_damage(folder); !damage.empty()) throw OutputError((folder / damage).string());
  RecordedSource source{.folder = folder, .summary = Json::parse(read_file(folder / "summary.json")), .values = {}};
  if (const Json status = source.summary.value("status", Json()); status != "done")
    throw OutputError(fmt::format("{}: expected a run that has come to its end, found one with the status {}",
                                  folder.string(), shown(status)));
  source.values.error_scale = error_scale_of(source.summary);
  const ProgressTable table = read_progress(folder / "progress.csv");
  const std::size_t before = columns_before_metrics().size(), after = columns_after_metrics().size();
  const auto place = [&](std::string_view name) {
    const auto at = static_cast<std::size_t>(std::ranges::find(table.columns, name) - table.columns.begin());
    if (at >= before)
      throw OutputError(fmt::format("{}: expected the column {} among the first {}, found none",
                                    (folder / "progress.csv").string(), name, before));
    return at;
  };
  const std::size_t round = place("round"), objective = place("objective"), error = place("relative_error");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    RecordedValues::OfRound& of = source.values.rounds[static_cast<Round>(table.values[round][row])];
    of.objective = cell(table, objective, row);
    of.relative_error = cell(table, error, row);
    for (std::size_t k = before; k + after < table.columns.size(); ++k) of.metrics.push_back(cell(table, k, row));
  }
  return source;
}

}  // namespace lagnet
