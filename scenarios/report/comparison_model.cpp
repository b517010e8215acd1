#include "scenarios/report/comparison_model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "scenarios/compare/tables/comparison.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/run_summary.hpp"

namespace lagnet {

namespace {

// Largest numbers of rows and columns of a table on a page; the command line shows the others.
constexpr std::size_t table_rows_max = 200, table_columns_max = 40;

Json row_model(const LevelVerdict& row, const std::vector<std::string>& names) {
  const auto name = [&](const std::optional<std::size_t>& place) { return place ? Json(names[*place]) : Json(); };
  Json costs = Json::array();
  for (const LevelCost& cost : row.costs)
    costs.push_back({{"series", names[cost.series]},
                     {"median", number_or_null(cost.median)},
                     {"min", number_or_null(cost.min)},
                     {"max", number_or_null(cost.max)},
                     {"before", number_or_null(cost.before)},
                     {"touched", number_or_null(cost.touched)},
                     {"reached_by", cost.reached_by},
                     {"runs", cost.runs}});
  return {{"to", row.to},
          {"currency", row.currency},
          {"winner", name(row.winner)},
          {"leader", name(row.leader)},
          {"next", name(row.next)},
          {"ratio", number_or_null(row.ratio.mean)},
          {"low", number_or_null(row.ratio.low)},
          {"high", number_or_null(row.ratio.high)},
          {"costs", std::move(costs)}};
}

Json cell_model(const ResultCell& cell) {
  switch (cell.kind) {
    case ResultCell::Kind::count:
      return cell.count;
    case ResultCell::Kind::number:
      return std::isfinite(cell.number) ? Json(cell.number) : Json();
    case ResultCell::Kind::text:
      return cell.text;
    case ResultCell::Kind::nothing:
      break;
  }
  return nullptr;
}

Json table_model(const ResultTable& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const TableColumn& column : table.columns) columns.push_back({{"key", column.key}, {"heading", column.heading}});
  for (const auto& row : table.rows) {
    if (rows.size() == table_rows_max) break;
    Json cells = Json::array();
    for (const ResultCell& cell : row) cells.push_back(cell_model(cell));
    rows.push_back(std::move(cells));
  }
  return {{"name", table.name},
          {"title", table.title},
          {"columns", std::move(columns)},
          {"rows", std::move(rows)},
          {"left_out", table.rows.size() - std::min(table.rows.size(), table_rows_max)}};
}

}  // namespace

Json comparison_model(const std::vector<RecordedRun>& all, const CompareOptions& options, std::string& missing) {
  std::vector<RecordedRun> ended;
  const bool are_all = std::ranges::none_of(all, &RecordedRun::is_under_way);
  if (!are_all) std::ranges::copy_if(all, std::back_inserter(ended), std::not_fn(&RecordedRun::is_under_way));
  const std::vector<RecordedRun>& runs = are_all ? all : ended;
  if (runs.empty()) {
    missing = "No run has come to its end yet.";
    return nullptr;
  }
  try {
    const ComparedRuns compared = compare_runs(runs, options);
    Json rows = Json::array(), tables = Json::array();
    for (const LevelVerdict& row : compared.verdict.rows) rows.push_back(row_model(row, compared.series));
    for (const ResultTable& table : compared.tables)
      if (table.name != "verdict" && table.name != "runs" && table.columns.size() <= table_columns_max)
        tables.push_back(table_model(table));
    std::vector<std::string> never = compared.verdict.broken;
    never.insert(never.end(), compared.verdict.never.begin(), compared.verdict.never.end());
    return {{"headline", compared.verdict.headline},
            {"setting", compared.setting},
            {"what", compared.headline},
            {"metric", options.metric},
            {"asked", number_or_null(asked_level(options, runs))},
            {"verdict",
             {{"sentences", compared.verdict.sentences}, {"never", std::move(never)}, {"rows", std::move(rows)}}},
            {"tables", std::move(tables)},
            {"remarks", as_json(compared.verdict.remarks)}};
  } catch (const OutputError& error) {
    missing = error.what();
    return nullptr;
  }
}

}  // namespace lagnet
