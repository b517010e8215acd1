#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>

#include "scenarios/execute.hpp"
#include "scenarios/golden.hpp"
#include "scenarios/result_folder.hpp"
#include "tools/commands.hpp"
#include "tools/interrupt.hpp"
#include "tools/progress_bar.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

std::string point_label(std::size_t point, std::size_t points, const SweepPoint& values) {
  if (values.values.empty()) return "run";
  std::string label = fmt::format("{}/{}", point + 1, points);
  for (const auto& [pointer, value] : values.values) label += fmt::format(" {}={}", pointer, shown(value));
  return label;
}

/// One line of a finished run: what a user wants to know first.
std::string verdict(const Outcome& outcome) {
  if (outcome.rows.empty()) return fmt::format("ended by {} before a round was complete", outcome.ending.reason);
  const Row& last = outcome.rows.back();
  std::string line = fmt::format(
      "{} after {} rounds, simulated {:.6g} s: ", outcome.diverged ? "diverged" : "ended by " + outcome.ending.reason,
      last.round, last.at.in_seconds());
  if (last.objective) line += fmt::format("objective {:.9g}, ", *last.objective);
  if (last.relative_error) line += fmt::format("relative error {:.3e}, ", *last.relative_error);
  return line + fmt::format("{} messages, {} bytes, {} flops, trace {}", last.total.messages_sent,
                            last.total.bytes_sent, last.total.flops, outcome.trace_hash);
}

ExecuteOptions watched(ProgressBar& bar, const Resources& resources, const Console& console) {
  ExecuteOptions options{.threads = resources.threads, .writing = remove_when_interrupted};
  options.capacity = {
      .jobs = resources.jobs.value_or(usual_jobs(resources.threads)),
      .memory = resources.memory_budget_mib ? *resources.memory_budget_mib * (Bytes{1} << 20) : usual_memory()};
  options.started = [&](std::size_t point, std::size_t points, const SweepPoint& values, const Assembly& assembly) {
    const std::string label = point_label(point, points, values);
    std::vector<std::string> warnings = assembly.warnings;
    if (const auto why = missing_optimum(assembly.optimum.get())) warnings.push_back(*why);
    if (!console.quiet && !warnings.empty()) {
      bar.clear();
      for (const std::string& warning : warnings) fmt::print(stderr, "{}: warning: {}\n", label, warning);
    }
    bar.start(point, points, label);
  };
  options.progress = [&](std::size_t point, const Progress& progress) { bar.update(point, progress); };
  options.finished = [&](std::size_t point, const Assembly&, const Outcome&) { bar.finish(point); };
  return options;
}

/// What is told of each run that has ended, in the order of the points whatever the order of their ends: what stdout
/// says does not depend on how many run side by side.
class Verdicts {
 public:
  struct Verdict {
    std::string out, err;
    Json summary;
  };
  explicit Verdicts(const Console& console) : console_(console) {}

  void add(std::size_t point, const std::string& label, const Assembly& assembly, const Outcome& outcome) {
    Verdict& verdict = waiting_[point];
    if (console_.json)
      verdict.summary = summary(assembly, outcome);
    else if (!console_.quiet)
      verdict.out = fmt::format("{}: {}\n", label, tools::verdict(outcome));
    if (!console_.quiet)
      for (const std::string& remark : outcome.remarks) verdict.err += fmt::format("{}: warning: {}\n", label, remark);
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
    std::fflush(stdout);  // a sweep's lines are read while it goes on
  }
  void tell(Verdict verdict) {
    fmt::print("{}", verdict.out);
    fmt::print(stderr, "{}", verdict.err);
    if (console_.json && !verdict.summary.is_null()) summaries_.push_back(std::move(verdict.summary));
  }
  const Console& console_;
  std::size_t told_ = 0;  // points before this one
  std::map<std::size_t, Verdict> waiting_;
  Json summaries_ = Json::array();
};

}  // namespace

namespace {

/// What `run` and `sweep` have in common: how they watch the points and tell of them.
int execute_and_tell(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                     const Resources& resources, const Console& console, bool keeps_points, bool full = false) {
  const ScenarioFile given = read_scenario_file(scenario, settings);
  const ScenarioFile file = full ? at_full_size(given) : given;
  if (out.empty()) out = (fs::path("runs") / fs::path(scenario).stem()).string();
  ProgressBar bar(console.quiet && !console.only_progress);
  Verdicts verdicts(console);
  ExecuteOptions options = watched(bar, resources, console);
  std::map<std::size_t, std::string> labels;
  options.started = [&, started = options.started](std::size_t point, std::size_t points, const SweepPoint& values,
                                                   const Assembly& assembly) {
    labels[point] = point_label(point, points, values);
    started(point, points, values, assembly);
  };
  options.finished = [&](std::size_t point, const Assembly& assembly, const Outcome& outcome) {
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
  if (keeps_points) options.writing = keep_when_interrupted;
  const Executed done = keeps_points ? execute_sweep(file, out, options) : execute(file, out, options);
  if (console.json)
    fmt::print("{}\n", Json{{"folder", out}, {"runs", verdicts.summaries()}}.dump(2));
  else if (!console.quiet)
    fmt::print("results in {}\n", out);
  return done.failed > 0 ? 1 : 0;
}

}  // namespace

int run_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                const Resources& resources, const Console& console) {
  return execute_and_tell(scenario, settings, std::move(out), resources, console, false);
}

int sweep_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                  const Resources& resources, const Console& console, bool full) {
  return execute_and_tell(scenario, settings, std::move(out), resources, console, true, full);
}

int replay_command(const std::string& folder, const Resources& resources, const Console& console) {
  ProgressBar bar(console.quiet);
  const std::string difference = replay(folder, watched(bar, resources, console));
  bar.clear();
  if (console.json)
    fmt::print("{}\n", Json{{"folder", folder}, {"same", difference.empty()}, {"difference", difference}}.dump(2));
  else if (!difference.empty())
    fmt::print("{}: {}\n", folder, difference);
  else if (!console.quiet)
    fmt::print("{}: the same, byte for byte\n", folder);
  return difference.empty() ? 0 : 1;
}

int check_command(const std::string& folder, bool update, const Console& console) {
  if (!update && is_result_folder(folder)) return claims_command(folder, console);
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
      fmt::print("{}  {}\n", update ? "made" : verdict.differences.empty() ? "same" : "DIFFERS", verdict.name);
    for (const std::string& difference : verdict.differences) fmt::print("      {}\n", difference);
  }
  if (console.json) fmt::print("{}\n", list.dump(2));
  return failed > 0 ? 1 : 0;
}

}  // namespace lagnet::tools
