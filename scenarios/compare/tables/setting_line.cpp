#include "scenarios/compare/tables/setting_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>

#include "scenarios/compare/tables/run_values.hpp"
#include "scenarios/data/arrays.hpp"
#include "scenarios/format/result_columns.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/run/outcome.hpp"
#include "scenarios/words/words.hpp"

namespace lagnet {

namespace {

/// "50" for a constant, "5 to 150" for uniform, "50 (lognormal)" for what has a median, and else the kind.
std::string distribution_text(const Json& value, const std::function<std::string(double)>& amount) {
  if (value.is_number()) return amount(value.get<double>());
  if (!value.is_object()) return "";
  const Document distribution(value);
  const std::string kind = distribution.text("/kind");
  if (const auto constant = distribution.number("/value")) return amount(*constant);
  const auto low = distribution.number("/low"), high = distribution.number("/high");
  if (kind == "uniform" && low && high) return fmt::format("{} to {}", amount(*low), amount(*high));
  for (const std::string key : {"median", "mean"})
    if (const auto middle = distribution.number("/" + key))
      return fmt::format("{} ({}, {})", amount(*middle), kind, key);
  return kind;
}

std::string agents_text(const RecordedRun& run) {
  const auto agents = Document(run.summary).number("/topology/agents");
  return agents ? fmt::format("{:.0f}", *agents) : "";
}

std::string latency_text(const RecordedRun& run) {
  return distribution_text(Document(run.scenario).at("/network/latency_ms"),
                           [](double ms) { return short_number(ms) + " ms"; });
}

constexpr std::string_view links_pointer = "/network/bandwidth_bytes_per_s";

/// Whether both interfaces of every agent are slower than all links, whose bandwidth then changes nothing. With fifo a
/// message is on one after the other, and each takes its time.
bool interfaces_bind(const RecordedRun& run) {
  const Document scenario(run.scenario);
  if (scenario.text("/network/sharing", "fifo") == "fifo" || !scenario.at("/network/interfaces").empty()) return false;
  const auto rate = [&](const char* key) { return simple_value(run.scenario, std::string("/network/") + key); };
  const Json link = rate("bandwidth_bytes_per_s"), up = rate("up_bytes_per_s"), down = rate("down_bytes_per_s");
  return link.is_number() && up.is_number() && down.is_number() && up < link && down < link;
}

std::string rate_text(const RecordedRun& run, const char* pointer) {
  if (pointer == links_pointer && interfaces_bind(run)) return "";
  return distribution_text(Document(run.scenario).at(pointer),
                           [](double bytes) { return amount_text(bytes, "bytes") + "/s"; });
}

/// "loss_probability 0.01", "straggler probability 0.05 factor 10", "partitions (2)": what an option is set to.
std::string option_text(const std::string& key, const Json& value) {
  if (value.is_array() && !value.empty() && value.front().is_structured())
    return fmt::format("{} ({})", key, value.size());
  if (!value.is_object()) return fmt::format("{} {}", key, value_text(value));
  if (value.contains("kind"))
    return fmt::format("{} {}", key, distribution_text(value, [](double x) { return short_number(x); }));
  std::string text = key;
  for (const auto& [name, part] : value.items()) text += fmt::format(" {} {}", name, value_text(part));
  return text;
}

/// Where the data come from: of drawn data, which have no file and no arrays, only how they are drawn.
std::string data_text(const RecordedRun& run) {
  const Document scenario(run.scenario);
  const std::string source = scenario.text("/data/source"), origin = Document(run.summary).text("/data/origin");
  const bool is_drawn = source != ArraysOptions::kind && scenario.text("/data/path").empty();
  return origin.empty() || is_drawn ? source : origin;
}

std::string size_text(const RecordedRun& run) {
  const auto samples = Document(run.summary).number("/data/samples"),
             features = Document(run.summary).number("/data/features");
  return samples && features ? fmt::format("{:.0f} samples x {:.0f} features", *samples, *features) : "";
}

std::string regularizer_text(const RecordedRun& run) {
  const std::string kind = Document(run.scenario).text("/problem/regularizer/kind");
  if (kind.empty() || kind == "none") return "";
  const auto weight = Document(run.scenario).number("/problem/regularizer/weight");
  return weight ? fmt::format("{} {}", kind, short_number(*weight)) : kind;
}

struct Fact {
  const char* name;
  std::function<std::string(const RecordedRun&)> text;
  const char *before = "", *after = "";  // words around its values: "latency 5 ms or 50 ms", "20 or 21 agents"
};

std::function<std::string(const RecordedRun&)> scenario_text(const char* pointer) {
  return [pointer](const RecordedRun& run) { return Document(run.scenario).text(pointer); };
}

std::function<std::string(const RecordedRun&)> rate_at(const char* pointer) {
  return [pointer](const RecordedRun& run) { return rate_text(run, pointer); };
}

const std::vector<Fact>& facts() {
  static const std::vector<Fact> all{{"number of agents", agents_text, "", " agents"},
                                     {"topology", scenario_text("/topology/kind")},
                                     {"latency", latency_text, "latency "},
                                     {"links' bandwidth", rate_at(links_pointer.data()), "links "},
                                     {"upload", rate_at("/network/up_bytes_per_s"), "upload "},
                                     {"download", rate_at("/network/down_bytes_per_s"), "download "},
                                     {"sharing", scenario_text("/network/sharing"), "sharing "},
                                     {"data", data_text},
                                     {"size of the data", size_text},
                                     {"loss", scenario_text("/problem/loss/kind")},
                                     {"regularizer", regularizer_text}};
  return all;
}

}  // namespace

namespace {

/// The texts of all runs, each once.
std::vector<std::string> texts_of(const std::vector<RecordedRun>& runs,
                                  const std::function<std::string(const RecordedRun&)>& words_on) {
  std::vector<std::string> texts;
  for (const RecordedRun& run : runs)
    if (const std::string text = words_on(run); std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  return texts;
}

/// What runs have of all other options of network, agents and participation, where it is not what every scenario has.
void append_options(const std::vector<RecordedRun>& runs, std::size_t named_at_most, std::vector<std::string>& parts) {
  static const Json defaults = write_fields(
      read_scenario({.shown = "defaults",
                     .folder = {},
                     .document = {{"lagnet", 1},
                                  {"data", {{"source", "gaussian_regression"}, {"samples", 2}, {"features", 1}}},
                                  {"topology", {{"kind", "ring"}, {"agents", 3}}},
                                  {"algorithm", {{"kind", "dgd"}}}}}));
  static const std::set<std::string> told{"latency_ms", "bandwidth_bytes_per_s", "up_bytes_per_s", "down_bytes_per_s",
                                          "sharing"};
  for (const char* section : {"network", "compute", "participation"})
    for (const auto& [key, usual] : defaults[section].items()) {
      if (told.contains(key)) continue;
      const std::string pointer = fmt::format("/{}/{}", section, key);
      const auto words = [&name = key](const Json& value) { return value.is_null() ? "" : option_text(name, value); };
      const std::vector<std::string> texts = texts_of(runs, [&, &by_default = usual](const RecordedRun& run) {
        const Json::json_pointer at(pointer);
        return words(run.scenario.contains(at) ? run.scenario[at] : by_default);
      });
      if (texts.size() == 1 && texts.front() == words(usual)) continue;
      std::vector<std::string> named = texts;
      std::ranges::replace(named, std::string(), "no " + key);
      parts.push_back(texts.size() <= named_at_most ? boost::join(named, " or ") : key + " varies");
    }
}

}  // namespace

std::string setting_line(const std::vector<RecordedRun>& runs) {
  constexpr std::size_t named_at_most = 3;
  std::vector<std::string> parts;
  for (const Fact& fact : facts()) {
    const std::vector<std::string> texts = texts_of(runs, fact.text);
    if (texts.size() == 1 && texts.front().empty()) continue;
    const bool can_be_named =
        texts.size() <= named_at_most && std::ranges::none_of(texts, [](const auto& text) { return text.empty(); });
    parts.push_back(can_be_named ? fact.before + boost::join(texts, " or ") + fact.after
                                 : std::string(fact.name) + " varies");
  }
  append_options(runs, named_at_most, parts);
  return boost::join(parts, ", ");
}

bool links_share_nothing(const RecordedRun& run) {
  const Document scenario(run.scenario);
  const auto limits = [](const Json& one) {
    return Document(one).has("/up_bytes_per_s") || Document(one).has("/down_bytes_per_s");
  };
  const bool has_interfaces = limits(scenario.at("/network")) || !scenario.at("/network/interfaces").empty() ||
                              std::ranges::any_of(scenario.at("/network/sites"), limits);
  return scenario.has("/network") && (scenario.text("/network/sharing") == "none" || !has_interfaces);
}

namespace {

bool have_same_bits(const RecordedRun& a, const RecordedRun& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.progress.columns == b.progress.columns &&
         std::ranges::equal(a.progress.values, b.progress.values,
                            [&](const auto& x, const auto& y) { return std::ranges::equal(x, y, same); });
}

/// Kinds of algorithms some of whose options are what theory gives.
std::vector<std::string> with_steps_of_theory(const std::vector<ComparedSeries>& measured) {
  std::vector<std::string> kinds;
  for (const ComparedSeries& series : measured) {
    const Document scenario(series.runs.front().recorded->scenario);
    const auto is_theory = [](const Json& value) { return value == "theory"; };
    if (std::ranges::none_of(scenario.at("/algorithm"), is_theory)) continue;
    const std::string kind = scenario.text("/algorithm/kind");
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

/// The run that ended by its rounds with the smallest error; null if there is none.
const ComparedRun* best_by_rounds(const std::vector<const ComparedRun*>& runs) {
  const ComparedRun* best = nullptr;
  for (const ComparedRun* run : runs) {
    const auto error = run->last("relative_error");
    if (run->ended_by == "rounds" && error && *error > 0 && (!best || *error < *best->last("relative_error")))
      best = run;
  }
  return best;
}

}  // namespace

Remarks remarks_on(const std::vector<ComparedSeries>& measured, const std::vector<const ComparedRun*>& runs) {
  Remarks remarks;
  if (std::ranges::all_of(runs, [](const ComparedRun* run) { return links_share_nothing(*run->recorded); }))
    remarks.push_back({"interfaces_without_limit",
                       {},
                       "no interface limits what an agent sends at once: many neighbors cost no more time than one"});
  const auto is_one = [](const ComparedSeries& one) { return one.runs.size() == 1; };
  if (measured.size() > 1 && std::ranges::all_of(measured, is_one))
    remarks.push_back({"one_seed", {}, "one seed for each series: there are no intervals"});
  constexpr std::size_t enough_seeds = 5;
  std::size_t fewest = enough_seeds;
  for (const ComparedSeries& one : measured) fewest = std::min(fewest, one.runs.size());
  if (measured.size() > 1 && fewest > 1 && fewest < enough_seeds)
    remarks.push_back({"few_seeds",
                       {{"seeds", fewest}},
                       fmt::format("intervals over {} seeds are rough; take five or more", fewest)});
  std::set<std::set<std::uint64_t>> seeds;
  for (const ComparedSeries& one : measured) {
    std::set<std::uint64_t> own;
    for (const ComparedRun& run : one.runs) own.insert(run.seed);
    seeds.insert(std::move(own));
  }
  if (seeds.size() > 1)
    remarks.push_back({"seeds_differ",
                       {},
                       "not all series have the same seeds: medians are over all of each, intervals over common ones"});
  if (const std::vector<std::string> by_theory = with_steps_of_theory(measured);
      !by_theory.empty() && measured.size() > 1)
    remarks.push_back(
        {"steps_of_theory",
         {},
         fmt::format(
             "steps of {} are those of theory: tuned ones may change who is first (\"tune\" instead of \"theory\")",
             comma_list(by_theory))});
  const auto repeats = [](const ComparedSeries& one) {
    return one.runs.size() > 1 && std::ranges::all_of(one.runs, [&](const ComparedRun& run) {
             return have_same_bits(*run.recorded, *one.runs.front().recorded);
           });
  };
  if (std::ranges::all_of(measured, repeats))
    remarks.push_back({"nothing_random",
                       {{"seeds", measured.front().runs.size()}},
                       fmt::format("{} seeds, the same bits: nothing is random here", measured.front().runs.size())});
  return remarks;
}

std::string way_further(const std::vector<const ComparedRun*>& runs, double level, const CompareOptions& options) {
  const auto reached_tolerance = [](const ComparedRun* run) { return run->ended_by == "relative_error"; };
  if (options.metric == "relative_error" && std::ranges::any_of(runs, reached_tolerance))
    return fmt::format("give --set stop.relative_error={}", level_text(level));
  if (const ComparedRun* best = best_by_rounds(runs); best && options.metric == "relative_error") {
    // What is told is true of each seed: none levels off, and the slowest one gets there.
    double rounds = 0;
    std::optional<double> more = 0;
    for (const ComparedRun* of : runs) {
      const RecordedRun& run = *of->recorded;
      if (run.series != best->recorded->series || of->ended_by != "rounds") continue;
      const auto& recorded = recorded_column(run, "round");
      const Outlook ahead = outlook(recorded, recorded_column(run, "relative_error"), level);
      if (!ahead.why_not.empty()) return ahead.why_not;
      if (has_other_limit(warnings_in(run.summary))) return "the limit need not be a minimizer";
      rounds = std::max(rounds, recorded.back());
      more = more && ahead.more_rounds ? std::optional(std::max(*more, *ahead.more_rounds)) : std::nullopt;
    }
    if (more)
      return fmt::format("at this rate it takes about {:.0f} more: give --set stop.rounds={:.0f}", *more,
                         rounds + *more);
  }
  double rounds = 0, seconds = 0;
  for (const ComparedRun* run : runs) {
    const Document scenario(run->recorded->scenario);
    if (run->ended_by == "rounds") rounds = std::max(rounds, scenario.number("/stop/rounds").value_or(0));
    if (run->ended_by == "simulated_s") seconds = std::max(seconds, scenario.number("/stop/simulated_s").value_or(0));
  }
  if (rounds > 0) return fmt::format("give --set stop.rounds={:.0f}", 2 * rounds);
  return seconds > 0 ? fmt::format("give --set stop.simulated_s={:g}", 2 * seconds) : "";
}

}  // namespace lagnet
