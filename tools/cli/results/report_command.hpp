#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/files/output_file.hpp"
#include "tools/console/command.hpp"
#include "tools/report/page.hpp"

namespace lagnet::tools {

/// What `lagnet report` was asked for.
struct ReportRequest {
  std::vector<std::string> folders;  // of runs and sweeps
  std::vector<std::string> where;    // "KEY=VALUE": only runs that have all of these
  OutputFile out;                    // by default report.html, or the figure's name with the format's ending
  std::string format = "html";       // or svg, png, pdf: a single figure
  std::string figure;                // convergence, panels (the scenario's own figure), ranking, ...
  std::optional<int> panel;          // one panel of the scenario's figure instead, from 1 on
  std::vector<std::string> choices;  // of the figure's controls: "y=objective", "logX=true"
  std::optional<double> width_mm;    // of the figure; by default 85, for all panels 180
  double from_s = 0;                 // window of the timelines
  std::optional<double> to_s;
  CompareOptions compare = {};  // the levels alone
  std::string command;          // as it was typed
};

/// Whether this build can write pages.
bool has_reports();
/// The parts of pages. Throws InputError, which begins with the command's name, if this build cannot write any.
ReportTexts page_texts(const std::string& command);

/// Writes a page, or one figure, about some runs. Throws InputError and OutputError; nothing is left half-written.
int report_command(const ReportRequest& request, const Console& console);

}  // namespace lagnet::tools
