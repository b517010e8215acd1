#include "scenarios/compare/tables/bounds_table.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "scenarios/json/document.hpp"
#include "scenarios/results/run_summary.hpp"

namespace lagnet {

namespace {

/// measured / bound in the last row of a run that has both.
std::optional<double> last_ratio(const RecordedRun& run, const RateBound& bound) {
  const std::vector<double>*const rounds = run.progress.find("round"), *const measured =
                                                                           run.progress.find(bound.measure);
  if (!rounds || !measured) return std::nullopt;
  for (std::size_t row = rounds->size(); row-- > 0;) {
    const double allowed = bound.at(static_cast<Round>((*rounds)[row]));
    if (std::isfinite((*measured)[row]) && std::isfinite(allowed) && allowed > 0) return (*measured)[row] / allowed;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TablePair> bounds_table(const std::vector<ComparedSeries>& measured) {
  const std::string title =
      "bounds: measured values over what theory proves in the same round, of a series' run where that is largest";
  ResultTable table{"bounds", title};
  table.columns = {"series",
                   "runs",
                   "measure",
                   {"largest_ratio", "largest"},
                   {"at_round", "in round"},
                   {"last_ratio", "last"},
                   {"runs_above", "runs above"},
                   "formula",
                   "source"};
  for (const ComparedSeries& series : measured) {
    std::size_t runs = 0, above = 0;
    const RecordedRun* worst = nullptr;
    double largest = -1;
    for (const ComparedRun& run : series.runs) {
      const auto ratio = Document(run.recorded->summary).number("/bound/largest_ratio");
      if (!ratio) continue;
      ++runs;
      const Remarks warnings = warnings_in(run.recorded->summary);
      above += std::ranges::any_of(warnings, [](const Remark& one) { return one.code == above_bound_code; }) ? 1 : 0;
      if (*ratio > largest) {
        largest = *ratio;
        worst = run.recorded;
      }
    }
    if (!worst) continue;
    const RateBound bound = bound_in(worst->summary).value();
    table.rows.push_back({series.name, runs, bound.measure, largest,
                          Document(worst->summary).number("/bound/largest_ratio_round"), last_ratio(*worst, bound),
                          above, bound.text, bound.source});
  }
  if (table.rows.empty()) return std::nullopt;
  return TablePair{table, table};
}

}  // namespace lagnet
