#include "scenarios/explain/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/retimable.hpp"
#include "scenarios/results/critical_path_csv.hpp"
#include "scenarios/results/recorded_source.hpp"
#include "scenarios/words/layout.hpp"
#include "scenarios/words/words.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

/// Why the events cannot be repeated without numbers. A run that has none can.
std::vector<std::string> why_whole_run(const RecordedRun& recorded, Scenario scenario) {
  std::vector<std::string> reasons;
  const std::string status = Document(recorded.summary).text("/status");
  if (status != "done") reasons.push_back(fmt::format("the run has failed: {}", status));
  scenario.numerics = Numerics::on;
  for (std::string& reason : why_not_retimable(scenario)) reasons.push_back(std::move(reason));
  return reasons;
}

/// Ends with the last recorded round, whatever ended the run.
ScenarioFile up_to_last_round(ScenarioFile file, Round last) {
  const Json factor = file.document.value(Json::json_pointer("/stop/divergence_factor"), Json());
  file.document["stop"] = {{"rounds", last}, {"divergence_factor", factor}};
  return file;
}

ScenarioFile with_keys(ScenarioFile file, const FasterWorld& world) {
  for (const auto& [pointer, value] : world.keys) file.document[Json::json_pointer(pointer)] = value;
  return file;
}

[[noreturn]] void refuse_other(const fs::path& folder, const std::string& expected, const std::string& found) {
  throw OutputError(fmt::format("{}: expected {} when its events are repeated, found {}; lagnet replay {} says more",
                                folder.string(), expected, found, folder.string()));
}

double last_row(const RecordedRun& recorded, std::string_view column) {
  const std::vector<double>& values = recorded_column(recorded, column);
  if (values.empty())
    throw OutputError(fmt::format("{}: expected a row or more, found none", recorded.folder.string()));
  return values.back();
}

/// The recorded run's events without its numbers, in its own network and others.
class Repeated {
 public:
  Repeated(const RecordedRun& recorded, const ScenarioFile& file)
      : experiment(std::make_shared<const Experiment>(assemble(read_scenario(file), file.shown, cache_))) {
    if (experiment->has_numbers()) source_ = read_source(recorded.folder, *experiment);
  }
  PathSums path(const Experiment& in) const {
    return *run(in, {.recorded = source_ ? &source_->values : nullptr}).path;
  }
  Time end(const ScenarioFile& file) const {
    return path(in_other_times(experiment, read_scenario(file), file.shown)).until;
  }

 private:
  ExperimentCache cache_;

 public:
  std::shared_ptr<const Experiment> experiment;

 private:
  std::optional<RecordedSource> source_;
};

void repeat_events(Explanation& made, const ScenarioFile& file, const ExplainStep& step) {
  const auto last = static_cast<Round>(last_row(made.recorded, "round"));
  if (last < 1) throw OutputError(fmt::format("{}: expected a round or more, found none", file.shown));
  const ScenarioFile limited = up_to_last_round(file, last);
  step("its events without numbers");
  const Repeated repeated(made.recorded, limited);
  made.experiment = repeated.experiment;
  made.path = repeated.path(*made.experiment);
  const double recorded_s = last_row(made.recorded, "simulated_s"), now_s = made.path.until.in_seconds();
  if (now_s != recorded_s)
    refuse_other(made.recorded.folder, fmt::format("round {} at {} s", last, recorded_s), fmt::format("{} s", now_s));
  for (FasterWorld& world : faster_worlds(*made.experiment, limited.document, made.path)) {
    step(world.what);
    try {
      const Time end = repeated.end(with_keys(limited, world));
      made.others.push_back({std::move(world), made.path.until - end});
    } catch (const Diagnosed&) {  // the scenario says it in another way, which a key beside it contradicts
    }
  }
}

void run_again(Explanation& made, const ScenarioFile& file, const ExplainStep& step) {
  ExperimentCache cache;
  const double end_s = last_row(made.recorded, "simulated_s");
  const std::string what = "a whole run, since " + made.why_whole_run.front();
  step(what);
  made.experiment = std::make_shared<const Experiment>(assemble(read_scenario(file), file.shown, cache));
  const auto recorded = [&](const Row& row) {
    step(fmt::format("{}: at {:.4g} s of {:.4g} s", what, row.at.in_seconds(), end_s));
  };
  const Outcome outcome = run(*made.experiment, {.row = recorded});
  made.path = *outcome.path;
  const std::string hash = Document(made.recorded.summary).text("/trace_hash");
  if (outcome.trace_hash != hash) refuse_other(made.recorded.folder, "the trace hash " + hash, outcome.trace_hash);
}

using Shares = std::vector<std::pair<std::string, Duration>>;

/// Sums by a name, the longest first; none that are nothing.
Shares sums_by(const PathSums& path, const std::function<std::string(const PathPieces::Content&)>& name) {
  std::map<std::string, Duration> sums;
  for (const PathPieces::Content& part : path.parts) sums[name(part)] += part.time;
  Shares list(sums.begin(), sums.end());
  std::erase_if(list, [&](const auto& one) { return share_on_path(path, one.second) < smallest_share; });
  std::ranges::stable_sort(list, std::greater{}, &Shares::value_type::second);
  return list;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// "transfer (61.0 %), queueing (30.2 %) and computing (8.8 %)": the first ones.
std::string list_of(const PathSums& path, const Shares& shares, std::size_t most) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < std::min(most, shares.size()); ++k)
    texts.push_back(fmt::format("{} ({})", shares[k].first, percent(share_on_path(path, shares[k].second))));
  if (texts.size() < 2) return texts.empty() ? "nothing" : texts.front();
  const std::string last = texts.back();
  texts.pop_back();
  return fmt::format("{} and {}", fmt::join(texts, ", "), last);
}

/// What one waits for.
std::string noun(PathKind kind) {
  const bool is_counted = kind == PathKind::absence || kind == PathKind::deadline || kind == PathKind::repair;
  return std::string(name(kind)) + (is_counted ? "s" : "");
}

std::string seconds_text(Duration time) { return fmt::format("{:.4g} s", time.in_seconds()); }

/// "round 100", or updates of methods that have no rounds.
std::string progress_text(const Explanation& made) {
  if (made.experiment->traits.has_rounds()) return fmt::format("round {:.0f}", last_row(made.recorded, "round"));
  return counted(static_cast<std::int64_t>(last_row(made.recorded, "updates")), "update");
}

constexpr std::size_t page_width = 80;

std::string sentences(const Explanation& made) {
  const Shares kinds = sums_by(made.path, [](const auto& part) { return noun(part.kind); });
  const Shares names =
      sums_by(made.path, [&](const auto& part) { return in_sentence(*made.experiment, part.kind, part.of); });
  constexpr std::size_t all = path_kinds, few = 3;
  const std::string reporter = in_sentence(*made.experiment, PathKind::computing, made.path.reporter);
  return fmt::format("Everybody waited for {}. It was {}{}. The run took {} to {}, {} the last to report.",
                     list_of(made.path, kinds, all), list_of(made.path, names, few),
                     names.size() > few ? fmt::format(", and {} more", names.size() - few) : "",
                     seconds_text(made.path.until - Time()), progress_text(made), reporter);
}

std::string path_table(const Explanation& made) {
  TextRows rows{{"what", "kind", "time (s)", "share"}};
  constexpr std::size_t most = 10;
  for (std::size_t k = 0; k < std::min(most, made.path.parts.size()); ++k) {
    const PathPieces::Content& part = made.path.parts[k];
    rows.push_back({name_on_path(*made.experiment, part.kind, part.of), std::string(name(part.kind)),
                    fmt::format("{:.4g}", part.time.in_seconds()), percent(share_on_path(made.path, part.time))});
  }
  return laid_out(rows, {true, true}, page_width);
}

std::string others_text(const Explanation& made) {
  if (!made.why_whole_run.empty())
    return wrapped(fmt::format("lagnet tries nothing faster: {}", fmt::join(made.why_whole_run, "; ")), page_width) +
           "\n";
  TextRows rows{{"twice as fast", "saves (s)", "sooner"}};
  for (const auto& [world, sooner] : made.others) {
    const double share = share_on_path(made.path, sooner);
    const bool is_nothing = std::abs(share) < smallest_share;
    rows.push_back({world.what, is_nothing ? "" : fmt::format("{:.4g}", sooner.in_seconds()),
                    is_nothing ? "nothing" : percent(share)});
  }
  return made.others.empty() ? "nothing on it can be twice as fast\n" : laid_out(rows, {true}, page_width);
}

}  // namespace

Explanation explain(const fs::path& folder, const ExplainStep& step) {
  Explanation made{
      .recorded = read_recorded_run(folder), .experiment = {}, .path = {}, .others = {}, .why_whole_run = {}};
  if (const std::string runtime = Document(made.recorded.summary).text("/runtime"); !runtime.empty())
    throw OutputError(
        fmt::format("{}: expected a simulated run, found one of processes over {}", folder.string(), runtime));
  ScenarioFile file = scenario_file(made.recorded);
  made.why_whole_run = why_whole_run(made.recorded, read_scenario(file));
  file.document["record"]["critical_path"] = true;
  if (made.why_whole_run.empty())
    repeat_events(made, file, step);
  else
    run_again(made, file, step);
  return made;
}

std::string text_of(const Explanation& made) {
  return fmt::format("{}\n\n{}\n{}", wrapped(sentences(made), page_width), path_table(made), others_text(made));
}

Json as_json(const Explanation& made) {
  Json document{{"folder", made.recorded.folder.string()}};
  document.update(path_facts(*made.experiment, made.path));
  document.erase("longest");
  document["round"] = last_row(made.recorded, "round");
  document["parts"] = Json::array();
  for (const PathPieces::Content& part : made.path.parts)
    document["parts"].push_back(path_part(*made.experiment, made.path, part));
  document["others"] = Json::array();
  for (const auto& [world, sooner] : made.others) {
    Json keys = Json::object();
    for (const auto& [pointer, value] : world.keys) keys[pointer] = value;
    document["others"].push_back({{"what", world.what},
                                  {"set", std::move(keys)},
                                  {"sooner_s", sooner.in_seconds()},
                                  {"sooner_share", share_on_path(made.path, sooner)}});
  }
  document["why_whole_run"] = made.why_whole_run;
  return document;
}

}  // namespace lagnet
