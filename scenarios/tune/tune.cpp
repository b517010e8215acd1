#include "scenarios/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/tune/tuning_choice.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// Half of a round trip each way.
Settings with_latency(Settings values, double latency_s) {
  values.emplace_back("/network/latency_ms", 1000 * latency_s / 2);
  return values;
}

Settings at_end(const NamedRanges& ranges, double u) {
  Settings values;
  for (const auto& [pointer, range] : ranges) values.emplace_back(pointer, range.at(u));
  return values;
}

/// The problems of the values at one end of all ranges, reported at the place of the ranges in the file. Problems of
/// the scenario itself are left out.
std::vector<Diagnostic> problems_at_end(const ScenarioFile& file, const NamedRanges& ranges, double u,
                                        const Diagnostics& told) {
  std::vector<Diagnostic> found = diagnostics_of([&] { read_scenario(with_values(file, at_end(ranges, u))); });
  const auto is_told = [&](const Diagnostic& problem) {
    return std::ranges::find(told.list(), problem) != told.list().end();
  };
  std::erase_if(found, is_told);
  for (Diagnostic& problem : found)
    for (const auto& [pointer, range] : ranges)
      if (!problem.where.empty() && (pointer + "/").starts_with(problem.where + "/")) {
        problem.where = child_pointer("/tune/ranges", pointer);
        break;
      }
  return found;
}

/// What reads as another scenario, if any of it does.
Json with_defaults(const ScenarioFile& file) { return write_fields(read_scenario(file)); }

}  // namespace

ScenarioFile with_values(const ScenarioFile& file, const Settings& values) {
  Diagnostics problems(file.shown);
  ScenarioFile changed = file;
  changed.document.erase("tune");
  for (const auto& [pointer, value] : values)
    set_member(changed.document, pointer, value, child_pointer("/tune/ranges", pointer), problems);
  problems.throw_if_any();
  return changed;
}

Tuning::Tuning(const ScenarioFile& scenario_file) : file(scenario_file) {
  Diagnostics problems(file.shown);
  if (!file.document.is_object() || file.document.value("tune", Json()).is_null())
    problems.add("", "key \"tune\" (what is tuned: {\"ranges\": {\"/algorithm/tau\": {\"low\": 0.01, \"high\": 10}}})");
  problems.throw_if_any();
  problems.add_new(diagnostics_of([&] { sweep_points(file); }));
  problems.add_new(diagnostics_of([&] { read_scenario(file); }));
  Diagnostics of_options(file.shown);
  read_value(file.document["tune"], options, {}, "/tune", of_options);
  NamedRanges ranges;
  if (of_options.empty()) {
    ranges = read_ranges(options.ranges, RangeScale::log, "/tune/ranges", of_options);
    const Diagnostics of_scenario = problems;
    for (const double end : {0.0, 1.0}) problems.add_new(problems_at_end(file, ranges, end, of_scenario));
  }
  if (problems.empty()) set_levels(problems);
  problems.throw_if_any();
  candidates = draw_points(ranges, static_cast<std::size_t>(options.candidates), options.seed,
                           options.draws == TuningDraws::latin_hypercube);
  add_points();
  name_metrics();
}

void Tuning::set_levels(Diagnostics& problems) {
  if (options.choose != TuningChoice::first) return;
  const Scenario scenario = read_scenario(file);
  if (scenario.timing_only() || !scenario.record.optimum)
    problems.add("/tune/choose", "gray, since no relative_error is recorded", "first");
  const auto one = options.to ? options.to : scenario.stop.relative_error;
  levels = one ? std::vector{*one} : std::vector{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
}

void Tuning::add_points() {
  const std::vector<double> latencies_s = options.latencies();
  const Json as_it_stands = with_defaults(with_values(file, candidates.front()));
  std::vector<bool> changes_nothing;
  for (const double latency : latencies_s)
    changes_nothing.push_back(with_defaults(with_values(file, with_latency(candidates.front(), latency))) ==
                              as_it_stands);
  const auto add = [&](const Settings& values, std::string name) {
    points.push_back({.values = values, .file = with_values(file, values)});
    names.push_back(std::move(name));
    return points.size() - 1;
  };
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::string name = folder_of_point(i, candidates.size());
    own.emplace_back();
    if (options.seeds.empty()) own.back().push_back(add(candidates[i], name));
    for (const std::uint64_t seed : options.seeds) {
      Settings values = candidates[i];
      values.emplace_back("/seed", seed);
      own.back().push_back(add(values, options.seeds.size() == 1 ? name : fmt::format("{}_seed_{}", name, seed)));
    }
    delayed.emplace_back();
    for (std::size_t k = 0; k < latencies_s.size(); ++k) {
      const double latency = latencies_s[k];
      delayed.back().push_back(
          changes_nothing[k] ? own.back().front()
                             : add(with_latency(candidates[i], latency), fmt::format("{}_latency_{}", name, latency)));
    }
  }
}

void Tuning::name_metrics() {
  if (options.choose != TuningChoice::gray) return;
  const std::vector<double> latencies_s = options.latencies();
  const bool has_accuracy = read_scenario(file).record.has_test_accuracy();
  if (options.metrics.empty() && !has_accuracy)
    remarks.push_back({"test_accuracy_not_recorded",
                       {},
                       "candidates are not judged by test_accuracy, which record.metrics does not have"});
  for (const auto& [kind, name] : spellings(TuningMetric{})) {
    if (options.metrics.empty() ? kind == TuningMetric::test_accuracy && !has_accuracy : !options.asks_for(kind))
      continue;
    const bool at_latencies = kind == TuningMetric::seconds_per_round && !latencies_s.empty();
    if (!at_latencies) metrics.emplace_back(kind, name);
    for (std::size_t k = 0; at_latencies && k < latencies_s.size(); ++k)
      metrics.emplace_back(kind, fmt::format("{}_at_{}", name, latencies_s[k]));
  }
}

PlannedPoints Tuning::planned() const {
  const auto write = [this](const Plan&, const CompletePoints& complete) { write_tuning(*this, complete); };
  return {.points = points, .names = names, .facts = "tune.json", .write = write};
}

Json write_tuning(const Tuning& tuning, const CompletePoints& complete) {
  const std::vector<TunedCandidate> judged = judge(tuning, complete.folders);
  const std::string scenario = relocated(tuning.file, complete.target).dump(2) + "\n";
  const Json facts = facts_of_tuning(tuning, judged, checksum(scenario));
  write_file(complete.folder / "scenario.json", scenario);
  write_file(complete.folder / "candidates.csv", candidates_table(tuning, judged));
  write_file(complete.folder / "tune.json", facts.dump(2) + "\n");
  if (const auto chosen = chosen_candidate(judged)) {
    const ScenarioFile tuned = with_values(tuning.file, tuning.candidates[*chosen]);
    write_file(complete.folder / "tuned.json", relocated(tuned, complete.target).dump(2) + "\n");
  }
  return facts;
}

Json execute_tune(const ScenarioFile& file, const fs::path& out, const ExecuteOptions& options) {
  const Tuning tuning(file);
  Plan plan(file, tuning.planned(), options.settings, Plan::Alike::apart, Plan::Making::later);
  Json facts;
  plan.write = [&](const Plan&, const CompletePoints& complete) { facts = write_tuning(tuning, complete); };
  const Executed done = execute_plan(plan, out, options);
  return done.published == Executed::Published::before ? parse_json(read_file(out / "tune.json")) : facts;
}

}  // namespace lagnet
