#include "tools/cli/run_commands.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/compare/golden.hpp"
#include "scenarios/compare/replay.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/sweep/execute.hpp"
#include "scenarios/tune/tune.hpp"
#include "tools/cli/claims_command.hpp"
#include "tools/console/interrupt.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/progress_bar.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

std::string point_label(std::size_t point, std::size_t points, const SweepPoint& values) {
  if (values.values.empty()) return "run";
  std::string label = fmt::format("{}/{}", point + 1, points);
  for (const auto& [pointer, value] : values.values) label += fmt::format(" {}={}", pointer, shown(value));
  return label;
}

/// One line of a finished run: what a user wants to know first. Time and counts are those of the whole run, as in its
/// summary: one that ends within a round, by a deadlock or a limit, has done more than its last row says.
std::string verdict(const Outcome& outcome) {
  std::string line = outcome.diverged ? "diverged" : "ended by " + outcome.ending.reason;
  if (outcome.rows.empty()) {
    line += fmt::format(" before a round was complete, simulated {:.6g} s: ", outcome.ending.last_report.in_seconds());
  } else {
    const Row& last = outcome.rows.back();
    line += fmt::format(" after {} rounds, simulated {:.6g} s: ", last.round, outcome.ending.last_report.in_seconds());
    if (last.objective) line += fmt::format("objective {:.9g}, ", *last.objective);
    if (last.relative_error) line += fmt::format("relative error {:.3e}, ", *last.relative_error);
  }
  const AgentAccount total = outcome.ledger.total();
  return line + fmt::format("{} messages, {} bytes, {} flops, trace {}", total.messages_sent, total.bytes_sent,
                            total.flops, outcome.trace_hash);
}

/// Warnings of the points of a sweep. Hundreds may have the same one: it is told at the first, the others are counted.
class Warnings {
 public:
  void tell(const std::string& label, const std::string& warning) {
    const auto [seen, is_new] = others_.try_emplace(warning, 0);
    if (is_new)
      print_err("{}: warning: {}\n", label, warning);
    else
      ++seen->second;
  }
  void tell_repeated() const {
    for (const auto& [warning, others] : others_)
      if (others > 0) print_err("{} more point{}: warning: {}\n", others, others == 1 ? "" : "s", warning);
  }

 private:
  std::map<std::string, std::size_t> others_;  // by text: the points after the first
};

ExecuteOptions watched(ProgressBar& bar, Warnings& warnings, const Resources& resources, const Console& console) {
  ExecuteOptions options{.threads = resources.threads, .writing = remove_when_interrupted};
  options.capacity = {
      .jobs = resources.jobs.value_or(usual_jobs(resources.threads)),
      .memory = resources.memory_budget_mib ? *resources.memory_budget_mib * (Bytes{1} << 20) : usual_memory()};
  options.started = [&](std::size_t point, std::size_t points, const SweepPoint& values, const Experiment& assembly) {
    const std::string label = point_label(point, points, values);
    std::vector<std::string> found = assembly.warnings;
    if (const auto why = missing_optimum(assembly.optimum.get())) found.push_back(*why);
    if (!console.quiet && !found.empty()) {
      bar.clear();
      for (const std::string& warning : found) warnings.tell(label, warning);
    }
    bar.start(point, points, label);
  };
  options.progress = [&](std::size_t point, const Progress& progress) { bar.update(point, progress); };
  options.finished = [&](std::size_t point, const Experiment&, const Outcome&) { bar.finish(point); };
  return options;
}

/// What is told of each run that has ended, in the order of the points whatever the order of their ends: what stdout
/// says does not depend on how many run side by side.
class Verdicts {
 public:
  struct Verdict {
    std::string label, out, err;
    std::vector<std::string> remarks;
    Json summary;
  };
  Verdicts(const Console& console, Warnings& warnings) : console_(console), warnings_(warnings) {}

  void add(std::size_t point, const std::string& label, const Experiment& assembly, const Outcome& outcome) {
    Verdict& verdict = waiting_[point];
    if (console_.json)
      verdict.summary = summary(assembly, outcome);
    else if (!console_.quiet)
      verdict.out = fmt::format("{}: {}\n", label, tools::verdict(outcome));
    verdict.label = label;
    if (!console_.quiet) verdict.remarks = outcome.remarks;
    if (!outcome.deadlock.empty()) verdict.err += fmt::format("{}: {}\n", label, outcome.deadlock);
    tell_in_order();
  }
  /// Of a point without an outcome: it was finished before, or an error ended it.
  void add_kept(std::size_t point, const std::string& label) {
    waiting_[point].out = console_.json || console_.quiet ? "" : fmt::format("{}: finished before\n", label);
    tell_in_order();
  }
  void add_broken(std::size_t point, const std::string& label, const std::string& why) {
    waiting_[point].err = fmt::format("{}: {}\n", label, why);
    tell_in_order();
  }
  const Json& summaries() const { return summaries_; }

 private:
  void tell_in_order() {
    for (; !waiting_.empty() && waiting_.begin()->first == told_; ++told_) tell(waiting_.extract(told_).mapped());
    flush_output();  // a sweep's lines are read while it goes on
  }
  void tell(Verdict verdict) {
    print_text(verdict.out);
    for (const std::string& remark : verdict.remarks) warnings_.tell(verdict.label, remark);
    print_err("{}", verdict.err);
    if (console_.json && !verdict.summary.is_null()) summaries_.push_back(std::move(verdict.summary));
  }
  const Console& console_;
  Warnings& warnings_;
  std::size_t told_ = 0;  // points before this one
  std::map<std::size_t, Verdict> waiting_;
  Json summaries_ = Json::array();
};

}  // namespace

namespace {

std::string folder_for(const std::string& scenario, const std::string& out) {
  return out.empty() ? (fs::path("runs") / fs::path(scenario).stem()).string() : out;
}

/// What `run`, `sweep` and `tune` have in common: how they watch the points, and tell of them as they end. `execute`
/// takes the options; returns its result and the runs' summaries.
template <class Execute>
auto execute_and_tell(const Resources& resources, const Console& console, const Execute& execute) {
  ProgressBar bar(console.quiet && !console.only_progress);
  Warnings warnings;
  Verdicts verdicts(console, warnings);
  ExecuteOptions options = watched(bar, warnings, resources, console);
  std::map<std::size_t, std::string> labels;
  options.started = [&, started = options.started](std::size_t point, std::size_t points, const SweepPoint& values,
                                                   const Experiment& assembly) {
    labels[point] = point_label(point, points, values);
    started(point, points, values, assembly);
  };
  options.finished = [&](std::size_t point, const Experiment& assembly, const Outcome& outcome) {
    bar.finish(point);
    verdicts.add(point, labels[point], assembly, outcome);
  };
  options.kept = [&](std::size_t point, std::size_t points, const SweepPoint& values) {
    verdicts.add_kept(point, point_label(point, points, values));
  };
  options.broken = [&](std::size_t point, const std::string& why) {
    bar.finish(point);
    verdicts.add_broken(point, labels[point], why);
  };
  auto result = execute(options);
  bar.clear();
  warnings.tell_repeated();
  return std::pair(std::move(result), verdicts.summaries());
}

int tell_executed(const Executed& done, const Json& summaries, const std::string& out, const Console& console) {
  if (console.json)
    print_text(indented(Json{{"folder", out}, {"runs", summaries}}));
  else if (!console.quiet)
    print_out("results in {}\n", out);
  return done.failed > 0 ? 1 : 0;
}

/// What `tune` says at the end, of the facts in tune.json.
int tell_tuned(const Json& facts, const std::string& out, const Console& console) {
  const Json& chosen = facts["chosen"];
  if (!console.quiet)
    for (const Json& remark : facts["remarks"]) print_err("tune: {}\n", remark.get<std::string>());
  if (console.json) {
    Json told{{"folder", out}};
    told.update(facts);
    print_text(indented(told));
  } else if (!console.quiet && !chosen.is_null()) {
    print_out("chosen: candidate {} of {}, {} of which on the Pareto front, {} no choice: grade {:.6g}",
              shown(chosen["candidate"]), shown(facts["candidates"]), shown(facts["on_front"]),
              facts["candidates"].get<int>() - facts["eligible"].get<int>(), chosen["grade"].get<double>());
    for (const char* name : {"relative_error", "relative_loss"})
      if (!chosen[name].is_null()) print_out(", {} {:.6g}", name, chosen[name].get<double>());
    print_out("\n");
    for (const auto& [pointer, value] : chosen["values"].items()) print_out("  {} = {}\n", pointer, shown(value));
    print_out("all candidates in {0}/candidates.csv, the tuned scenario in {0}/tuned.json\n", out);
  }
  if (!chosen.is_null()) return 0;
  print_err("tune: none of {} candidates can be chosen; {}/candidates.csv says why\n", shown(facts["candidates"]), out);
  return 1;
}

}  // namespace

int run_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                const Resources& resources, const Console& console) {
  const ScenarioFile file = read_scenario_file(scenario, settings);
  out = folder_for(scenario, out);
  const auto run = [&](const ExecuteOptions& options) { return execute(file, out, options); };
  const auto [done, summaries] = execute_and_tell(resources, console, run);
  return tell_executed(done, summaries, out, console);
}

int sweep_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                  const Resources& resources, const Console& console, bool full) {
  const ScenarioFile given = read_scenario_file(scenario, settings), file = full ? at_full_size(given) : given;
  out = folder_for(scenario, out);
  const auto sweep = [&](ExecuteOptions& options) {
    options.writing = keep_when_interrupted;
    return execute_sweep(file, out, options);
  };
  const auto [done, summaries] = execute_and_tell(resources, console, sweep);
  return tell_executed(done, summaries, out, console);
}

int tune_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                 const Resources& resources, const Console& console) {
  const ScenarioFile file = read_scenario_file(scenario, settings);
  out = folder_for(scenario, out);
  const auto tune = [&](ExecuteOptions& options) {
    options.writing = keep_when_interrupted;
    return execute_tune(file, out, options);
  };
  return tell_tuned(execute_and_tell(resources, console, tune).first, out, console);
}

int replay_command(const std::string& folder, const Resources& resources, const Console& console) {
  ProgressBar bar(console.quiet);
  Warnings warnings;
  const std::string difference = replay(folder, watched(bar, warnings, resources, console));
  bar.clear();
  warnings.tell_repeated();
  if (console.json)
    print_text(indented(Json{{"folder", folder}, {"same", difference.empty()}, {"difference", difference}}));
  else if (!difference.empty())
    print_out("{}: {}\n", folder, difference);
  else if (!console.quiet)
    print_out("{}: the same, byte for byte\n", folder);
  return difference.empty() ? 0 : 1;
}

int check_command(const std::string& folder, bool update, const Console& console) {
  if (is_result_folder(folder)) {
    if (update) throw InputError(fmt::format("{}: expected a folder of golden scenarios, found results", folder));
    return claims_command(folder, console);
  }
  if (!fs::is_directory(folder))
    throw InputError(fmt::format("{}: expected a folder of golden scenarios, found none", folder));
  const std::vector<GoldenVerdict> verdicts = check_goldens(folder, update);
  if (verdicts.empty()) throw InputError(fmt::format("{}: expected golden scenarios (NAME.json), found none", folder));
  Json list = Json::array();
  int failed = 0;
  for (const GoldenVerdict& verdict : verdicts) {
    if (!verdict.differences.empty()) ++failed;
    if (console.json) {
      list.push_back(
          {{"name", verdict.name}, {"same", verdict.differences.empty()}, {"differences", verdict.differences}});
      continue;
    }
    if (!console.quiet || !verdict.differences.empty())
      print_out("{}  {}\n", update ? "made" : verdict.differences.empty() ? "same" : "DIFFERS", verdict.name);
    for (const std::string& difference : verdict.differences) print_out("      {}\n", difference);
  }
  if (console.json) print_text(indented(list));
  return failed > 0 ? 1 : 0;
}

}  // namespace lagnet::tools
