#include <fmt/format.h>

#include <filesystem>

#include "scenarios/json_file.hpp"
#include "scenarios/result_folder.hpp"
#include "scenarios/scenario.hpp"
#include "tools/commands.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

PresentationOptions presentation_of(const fs::path& folder) {
  const fs::path path = folder / "scenario.json";
  PresentationOptions presentation;
  if (!fs::is_regular_file(path)) throw InputError(fmt::format("{}: missing", path.string()));
  return read_presentation(read_scenario_file(path));
}

void print(const Verdict& verdict) {
  fmt::print("{}  {}\n          measured: {}\n", verdict.finding.holds ? "holds" : "FAILS", verdict.statement,
             verdict.finding.measured);
  if (verdict.finding.tolerance != "none") fmt::print("          allowed:  {}\n", verdict.finding.tolerance);
  if (!verdict.source.empty()) fmt::print("          source:   {}\n", verdict.source);
}

Json as_json(const Verdict& verdict) {
  return {{"statement", verdict.statement},
          {"source", verdict.source},
          {"holds", verdict.finding.holds},
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
  int failed = 0;
  for (const Verdict& verdict : verdicts(claims, recorded.runs)) {
    if (!verdict.finding.holds) ++failed;
    list.push_back(as_json(verdict));
    if (!console.json && (!console.quiet || !verdict.finding.holds)) print(verdict);
  }
  for (const std::string& broken : recorded.broken) fmt::print(stderr, "{}\n", broken);
  if (console.json)
    fmt::print("{}\n", Json{{"folder", folder}, {"claims", list}}.dump(2));
  else if (!console.quiet)
    fmt::print("{} of {} statements hold\n", list.size() - static_cast<std::size_t>(failed), list.size());
  return failed > 0 || !recorded.broken.empty() ? 1 : 0;
}

}  // namespace lagnet::tools
