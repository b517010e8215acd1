#include "tools/cli/results/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>

#include "scenarios/compare/claim_verdict.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/scenario.hpp"
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

/// How a verdict is printed: a statement that is known to fail but holds is marked, too.
std::string_view word(const Verdict& verdict) {
  if (!verdict.claim.known_to_fail.empty()) return verdict.holds() ? "HOLDS" : "known";
  if (verdict.outcome() == Outcomes::depend) return "DEPENDS";
  return verdict.holds() ? "holds" : "FAILS";
}

/// "5 of 5 draws (95 %: 48 % .. 100 %)"
std::string share_of_draws(const Verdict& verdict) {
  const auto [low, high] = verdict.share_interval();
  return fmt::format("{} of {} draws (95 %: {:.0f} % .. {:.0f} %)", verdict.holding(), verdict.draws.size(), 100 * low,
                     100 * high);
}

void print(const Verdict& verdict) {
  const ClaimCommon& claim = verdict.claim;
  const auto line = [](std::string_view name, const std::string& text) {
    if (!text.empty()) print_out("          {:9} {}\n", name, text);
  };
  print_out("{}  {}\n", word(verdict), claim.statement);
  if (verdict.draws.size() > 1) line("holds in:", share_of_draws(verdict));
  line("measured:", verdict.measured());
  const std::string& tolerance = verdict.draws.front().finding.tolerance;
  if (tolerance != "none") line("allowed:", tolerance);
  line("source:", claim.source);
  const std::string said = claim.quote.empty() ? claim.paper : '"' + claim.quote + '"';
  line("paper:", said.empty() || claim.place.empty() ? said : said + " (" + claim.place + ")");
  line("weaker:", claim.weaker);
  if (!claim.known_to_fail.empty())
    line(verdict.holds() ? "holds after all, and was known to fail:" : "known to fail:", claim.known_to_fail);
}

/// A text for a cell of a Markdown table, without markup of its own.
std::string markdown_cell(std::string text) {
  for (const auto& [sign, spelled] : {std::pair{"&", "&amp;"},
                                      {"<", "&lt;"},
                                      {">", "&gt;"},
                                      {"\n", " "},
                                      {"\\", "\\\\"},
                                      {"|", "\\|"},
                                      {"[", "\\["},
                                      {"]", "\\]"}})
    boost::replace_all(text, sign, spelled);
  return text;
}

void print_row(const Verdict& verdict) {
  const ClaimCommon& claim = verdict.claim;
  std::string holds = verdict.draws.size() > 1 ? verdict.word() + ", " + share_of_draws(verdict)
                                               : std::string(verdict.holds() ? "yes" : "no");
  if (!claim.known_to_fail.empty())
    holds += verdict.holds() ? ", though known to fail" : ", as known: " + claim.known_to_fail;
  print_out("| {} | {} | {} | {} |\n", markdown_cell(claim.statement), markdown_cell(claim.source),
            markdown_cell(verdict.measured()), markdown_cell(holds));
}

/// JSON has no nan.
Json number(double x) { return std::isfinite(x) ? Json(x) : Json(shown_measure(x)); }

Json as_json(const Verdict& verdict) {
  const ClaimCommon& claim = verdict.claim;
  Json draws = Json::array();
  for (const auto& [seeds, finding] : verdict.draws)
    draws.push_back({{"seeds", seeds},
                     {"holds", finding.holds},
                     {"measured", finding.measured},
                     {std::string(finding.called), number(finding.deciding)}});
  const Finding& first = verdict.draws.front().finding;
  const auto [share_low, share_high] = verdict.share_interval();
  const auto [low, high] = verdict.range();
  return {{"statement", claim.statement},
          {"source", claim.source},
          {"quote", claim.quote},
          {"paper", claim.paper},
          {"place", claim.place},
          {"weaker", claim.weaker},
          {"holds", verdict.holds()},
          {"verdict", verdict.word()},
          {"holding", verdict.holding()},
          {"share_interval", {share_low, share_high}},
          {"known_to_fail", claim.known_to_fail.empty() ? Json() : Json(claim.known_to_fail)},
          {"measured", verdict.measured()},
          {"allowed", first.tolerance},
          {"slack", number(verdict.slack())},
          {"decided_by", first.called},
          {"median", number(verdict.median())},
          {"range", {number(low), number(high)}},
          {"draws", std::move(draws)}};
}

/// "in one draw, seed 1": the basis of a verdict.
std::string told_draws(const std::vector<Verdict>& all) {
  const Verdict& most = *std::ranges::max_element(all, {}, [](const Verdict& verdict) { return verdict.draws.size(); });
  if (most.draws.size() > 1) return fmt::format(", over {} draws", most.draws.size());
  const std::vector<std::uint64_t>& seeds = most.draws.front().seeds;
  return seeds.size() == 1 ? fmt::format(" in one draw, that of seed {}", seeds.front()) : "";
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
  const std::vector<Verdict> all = verdicts(claims, recorded.runs);
  for (const Verdict& verdict : all) {
    if (verdict.fails()) ++failed;
    if (verdict.holds()) ++holding;
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
    print_out("{} of {} statements hold{}\n", holding, list.size(), told_draws(all));
  return failed > 0 || !recorded.broken.empty() ? 1 : 0;
}

}  // namespace lagnet::tools
