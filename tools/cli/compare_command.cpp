#include "tools/cli/compare_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "tools/console/printing.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

/// The tables asked for.
std::vector<ResultTable> chosen(const std::vector<ResultTable>& tables, const std::string& name) {
  std::vector<ResultTable> found;
  for (const ResultTable& table : tables)
    if (name.empty() || table.name == name) found.push_back(table);
  return found;
}

std::string rendered_as_text(const ComparedRuns& comparison, const std::string& table) {
  std::string text = comparison.headline + "\n";
  for (const ResultTable& one : chosen(comparison.tables, table)) text += "\n" + as_text(one);
  return text;
}

std::string rendered_as_latex(const ComparedRuns& comparison, const std::string& table) {
  std::string latex = "% " + comparison.headline + "; needs \\usepackage{booktabs}\n";
  for (const ResultTable& one : chosen(comparison.tables, table))
    if (!one.rows.empty()) latex += as_latex(one);
  return latex;
}

std::string rendered_as_json(const ComparedRuns& comparison, const CompareArguments& given,
                             const RecordedRuns& recorded) {
  Json folders = Json::array();
  for (const RecordedRun& run : recorded.runs) folders.push_back(run.folder.generic_string());
  Json document{{"metric", given.options.metric},
                {"against", given.options.against},
                {"folders", std::move(folders)},
                {"left_out", recorded.broken},
                {"bootstrap",
                 {{"resamples", given.options.bootstrap.resamples},
                  {"confidence", given.options.bootstrap.confidence},
                  {"seed", given.options.bootstrap.seed}}}};
  for (const ResultTable& table : chosen(comparison.tidy, given.table)) document[table.name] = as_json(table);
  return indented(document);
}

std::string rendered(const std::string& format, const ComparedRuns& comparison, const CompareArguments& given,
                     const RecordedRuns& recorded) {
  if (format == "json") return rendered_as_json(comparison, given, recorded);
  if (format == "latex") return rendered_as_latex(comparison, given.table);
  if (format.empty() || format == "text") return rendered_as_text(comparison, given.table);
  return as_csv(chosen(comparison.tidy, given.table.empty() ? "curves" : given.table).front());
}

}  // namespace

int compare_command(const CompareArguments& given, const Console& console) {
  if (console.json && !given.format.empty() && given.format != "json")
    throw InputError(fmt::format("compare: --format: expected none or json beside --json, found {}", given.format));
  const RecordedRuns recorded = read_recorded_runs({given.folders.begin(), given.folders.end()});
  const ComparedRuns comparison = compare_runs(recorded.runs, given.options);
  const std::string format = console.json ? "json" : given.format;
  const std::string text = rendered(format, comparison, given, recorded);
  if (!console.quiet)
    for (const std::string& why : recorded.broken) print_err("left out: {}\n", why);
  if (!given.out.empty())
    replace_file(given.out, text);
  else if (!console.quiet || console.json)
    print_text(text);
  return 0;
}

}  // namespace lagnet::tools
