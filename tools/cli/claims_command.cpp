#include "tools/cli/claims_command.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string.hpp>
#include <filesystem>
#include <string_view>

#include "scenarios/compare/claims.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/json_file.hpp"
#include "tools/console/printing.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

PresentationOptions presentation_of(const fs::path& folder) {
  const fs::path path = folder / "scenario.json";
  PresentationOptions presentation;
  if (!fs::is_regular_file(path)) throw InputError(fmt::format("{}: missing", path.string()));
  return read_presentation(read_scenario_file(path));
}

/// How a verdict is told: a statement that is known to fail and holds after all stands out, too.
std::string_view word(const Verdict& verdict) {
  if (verdict.known_to_fail.empty()) return verdict.finding.holds ? "holds" : "FAILS";
  return verdict.finding.holds ? "HOLDS" : "known";
}

void print(const Verdict& verdict) {
  print_out("{}  {}\n          measured: {}\n", word(verdict), verdict.statement, verdict.finding.measured);
  if (verdict.finding.tolerance != "none") print_out("          allowed:  {}\n", verdict.finding.tolerance);
  if (!verdict.source.empty()) print_out("          source:   {}\n", verdict.source);
  if (!verdict.known_to_fail.empty())
    print_out("          {} {}\n", verdict.finding.holds ? "holds after all, and was known to fail:" : "known to fail:",
              verdict.known_to_fail);
}

void print_row(const Verdict& verdict) {
  const auto cell = [](std::string text) { return boost::replace_all_copy(std::move(text), "|", "\\|"); };
  std::string holds = verdict.finding.holds ? "yes" : "no";
  if (!verdict.known_to_fail.empty())
    holds += verdict.finding.holds ? ", though known to fail" : ", as known: " + verdict.known_to_fail;
  print_out("| {} | {} | {} | {} |\n", cell(verdict.statement), cell(verdict.source), cell(verdict.finding.measured),
            cell(std::move(holds)));
}

Json as_json(const Verdict& verdict) {
  return {{"statement", verdict.statement},
          {"source", verdict.source},
          {"holds", verdict.finding.holds},
          {"known_to_fail", verdict.known_to_fail.empty() ? Json() : Json(verdict.known_to_fail)},
          {"measured", verdict.finding.measured},
          {"allowed", verdict.finding.tolerance}};
}

}  // namespace

int claims_command(const std::string& folder, const Console& console) {
  const auto claims = presentation_of(folder).expect;
  if (claims.empty())
    throw InputError(fmt::format("{}: expected statements under the key expect, found none",
                                 (fs::path(folder) / "scenario.json").string()));
  const RecordedRuns recorded = read_recorded_runs({folder});
  Json list = Json::array();
  int failed = 0, holding = 0;
  const bool as_table = console.markdown && !console.json;
  if (as_table) print_out("| statement | expected | measured | holds |\n|---|---|---|---|\n");
  for (const Verdict& verdict : verdicts(claims, recorded.runs)) {
    if (verdict.fails()) ++failed;
    if (verdict.finding.holds) ++holding;
    list.push_back(as_json(verdict));
    if (as_table)
      print_row(verdict);
    else if (!console.json && (!console.quiet || verdict.fails()))
      print(verdict);
  }
  for (const std::string& broken : recorded.broken) print_err("{}\n", broken);
  if (console.json)
    print_text(indented(Json{{"folder", folder}, {"claims", list}}));
  else if (!console.quiet && !as_table)
    print_out("{} of {} statements hold\n", holding, list.size());
  return failed > 0 || !recorded.broken.empty() ? 1 : 0;
}

}  // namespace lagnet::tools
