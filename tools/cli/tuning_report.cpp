#include "tools/cli/tuning_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "scenarios/words/layout.hpp"

namespace lagnet::tools {

namespace {

/// "12.3 s", "4 rounds", "1.2e+06 bytes"; `cost` is a column of progress.csv.
std::string cost_text(double value, const std::string& cost) {
  return fmt::format("{:.4g} {}", value, cost == "simulated_s" ? "s" : cost == "round" ? "rounds" : "bytes");
}

/// "relative error 1e-06 after 12.3 s", or how far it came.
std::string achievement(const Json& facts, const Json& candidate) {
  const std::string cost = facts["cost"].get<std::string>();
  if (!candidate["cost"].is_null())
    return fmt::format("relative error {:g} after {}", facts["to"].get<double>(),
                       cost_text(candidate["cost"].get<double>(), cost));
  if (candidate["outcome"] != "ok") return candidate["outcome"].get<std::string>();
  if (candidate["relative_error"].is_null()) return "no relative error";
  return fmt::format("ended at {:.3g}", candidate["relative_error"].get<double>());
}

std::string values_text(const Json& values) {
  std::string text;
  for (const auto& [pointer, value] : values.items())
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", pointer.substr(1),
                        value.is_number_float() ? fmt::format("{:.4g}", value.get<double>()) : value.dump());
  return text;
}

std::string table_of_values(const Json& facts, const Json& chosen) {
  std::vector<Json> tried(facts["tried"].begin(), facts["tried"].end());
  std::ranges::stable_sort(tried, {}, [](const Json& one) { return one["values"].front(); });
  std::vector<std::vector<std::string>> rows;
  for (const Json& one : tried)
    rows.push_back({"  " + values_text(one["values"]),
                    achievement(facts, one) + (one["candidate"] == chosen["candidate"] ? "  <- chosen" : "")});
  return laid_out(rows, {true, true});
}

}  // namespace

std::string tuning_report(const Json& facts, const std::string& out, bool replaces) {
  const Json& chosen = facts["chosen"];
  if (chosen.is_null()) return "";
  const int candidates = facts["candidates"].get<int>(), no_choice = candidates - facts["eligible"].get<int>();
  std::string text = fmt::format("chosen: candidate {} of {}", shown(chosen["candidate"]), candidates);
  if (facts["choose"] == "gray") {
    text += fmt::format(", {} of which on the Pareto front, {} no choice: grade {:.6g}", shown(facts["on_front"]),
                        no_choice, chosen["grade"].get<double>());
  } else {
    const auto is_chosen = [&](const Json& one) { return one["candidate"] == chosen["candidate"]; };
    text += fmt::format(", {} no choice: {}", no_choice,
                        achievement(facts, *std::ranges::find_if(facts["tried"], is_chosen)));
  }
  for (const char* name : {"relative_error", "relative_loss"})
    if (!chosen[name].is_null()) text += fmt::format(", {} {:.6g} at the end", name, chosen[name].get<double>());
  text += "\n";
  if (facts["choose"] == "first") text += table_of_values(facts, chosen);
  for (const auto& [pointer, value] : chosen["values"].items()) text += fmt::format("{} = {}\n", pointer, shown(value));
  return text + fmt::format("all candidates in {0}/candidates.csv, the tuned scenario in {0}/tuned.json{1}\n", out,
                            replaces ? ", in place of earlier results" : "");
}

}  // namespace lagnet::tools
