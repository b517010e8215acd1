#pragma once

#include <optional>
#include <string>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

struct ReportOptions {
  std::string command;                // the user's command, shown in the page
  double window_from_s = 0;           // of the timelines
  std::optional<double> window_to_s;  // nothing: as far as there is room
  bool is_for_figure = false;         // for one figure alone, which has room for more rows than a page
  bool has_what_if = true;            // what other times of the runs follow from
  bool is_unfinished = false;         // more is to come, so that claims are not judged yet
  CompareOptions compare = {};        // the metric and its levels
};

/// Makes the JSON document that the page's scripts read (tools/report/README.md describes it): progress in rows that
/// keep every extreme (thinned_rows.hpp), what agents and links had to carry, places to draw them, a window of the
/// timeline, what differs between the scenarios, and what these expect and draw. Tables are cut so that a page of ten
/// runs stays below 3 MB; where something is left out, the model says why. Runs under way have their rows in it, but
/// are not compared. Throws OutputError where a file of a folder is not what a run writes.
Json report_model(const RecordedRuns& recorded, const ReportOptions& options);

}  // namespace lagnet
