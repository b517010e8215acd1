#include "tools/cli/run_commands.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
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

/// One line of a finished run: what a user wants to know first. Time and counts are those of the whole run, as in its
/// summary: one that ends within a round, by a deadlock or a limit, has done more than its last row says.
std::string verdict(const Outcome& outcome) {
  std::string line = outcome.diverged ? "diverged" : fmt::format("ended by {}", spelled(outcome.stop));
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

/// Tells on stderr how far the points are, and what is to be known of them. Hundreds of points may have the same
/// warning: it is told of the first, the others are counted.
class Watching : public RunWatcher {
 public:
  explicit Watching(const Console& console) : console_(console), bar_(console.quiet && !console.only_progress) {}

  void writing(const fs::path& folder, bool is_resumable) override { set_unfinished(folder, is_resumable); }
  void planned(const Plan& plan) override { plan_ = &plan; }
  void started(std::size_t point, const Experiment& experiment) override {
    std::vector<std::string> warnings = experiment.warnings;
    if (const auto why = missing_optimum(experiment.optimum.get())) warnings.push_back(*why);
    if (!warnings.empty()) bar_.clear();
    warn(point, warnings);
    bar_.start(point, plan_->points.size(), label(point), experiment.scenario.stop.rounds.value_or(0));
  }
  void recorded(std::size_t point, const Row& row) override { bar_.update(point, row); }
  void finished(std::size_t point, const Experiment&, const Outcome&) override { bar_.finish(point); }
  void failed(std::size_t point, const std::string&) override { bar_.finish(point); }
  /// After the last point.
  void end() {
    bar_.clear();
    for (const auto& [warning, others] : others_)
      if (others > 0) print_err("{} more point{}: warning: {}\n", others, others == 1 ? "" : "s", warning);
  }

 protected:
  std::string label(std::size_t point) const {
    const auto& values = plan_->points[point].values;
    if (values.empty()) return "run";
    std::string label = fmt::format("{}/{}", point + 1, plan_->points.size());
    for (const auto& [pointer, value] : values) label += fmt::format(" {}={}", pointer, shown(value));
    return label;
  }
  void warn(std::size_t point, const std::vector<std::string>& warnings) {
    if (console_.quiet) return;
    for (const std::string& warning : warnings) {
      const auto [seen, is_new] = others_.try_emplace(warning, 0);
      if (is_new)
        print_err("{}: warning: {}\n", label(point), warning);
      else
        ++seen->second;
    }
  }
  const Console& console_;

 private:
  ProgressBar bar_;
  const Plan* plan_ = nullptr;
  std::map<std::string, std::size_t> others_;  // by warning: the points after the first
};

/// Tells also of each run that has ended, in the order of the points whatever the order of their ends: what stdout says
/// does not depend on how many run side by side.
class Telling final : public Watching {
 public:
  using Watching::Watching;

  void finished(std::size_t point, const Experiment& experiment, const Outcome& outcome) override {
    Watching::finished(point, experiment, outcome);
    Ended& ended = waiting_[point];
    if (console_.json)
      ended.summary = summary(experiment, outcome);
    else if (!console_.quiet)
      ended.out = fmt::format("{}: {}\n", label(point), verdict(outcome));
    ended.remarks = outcome.remarks;
    if (!outcome.deadlock.empty()) ended.err = fmt::format("{}: {}\n", label(point), outcome.deadlock);
    tell_in_order();
  }
  void failed(std::size_t point, const std::string& why) override {
    Watching::failed(point, why);
    waiting_[point].err = fmt::format("{}: {}\n", label(point), why);
    tell_in_order();
  }
  void skipped(std::size_t point) override {
    waiting_[point].out = console_.json || console_.quiet ? "" : fmt::format("{}: finished before\n", label(point));
    tell_in_order();
  }
  const Json& summaries() const { return summaries_; }

 private:
  struct Ended {
    std::string out, err;
    std::vector<std::string> remarks;
    Json summary;
  };
  void tell_in_order() {
    for (; !waiting_.empty() && waiting_.begin()->first == told_; ++told_) {
      const Ended ended = waiting_.extract(told_).mapped();
      print_text(ended.out);
      warn(told_, ended.remarks);
      print_err("{}", ended.err);
      if (!ended.summary.is_null()) summaries_.push_back(ended.summary);
    }
    flush_output();  // a sweep's lines are read while it goes on
  }
  std::size_t told_ = 0;  // points before this one
  std::map<std::size_t, Ended> waiting_;
  Json summaries_ = Json::array();
};

ExecuteOptions options_of(const Resources& resources, RunWatcher& watcher) {
  const Bytes memory = resources.memory_budget_mib ? *resources.memory_budget_mib * (Bytes{1} << 20) : usual_memory();
  return {.threads = resources.threads,
          .budget = {.jobs = resources.jobs.value_or(usual_jobs(resources.threads)), .memory = memory},
          .watcher = &watcher};
}

std::string folder_for(const RunRequest& request) {
  return request.out.empty() ? (fs::path("runs") / fs::path(request.scenario).stem()).string() : request.out;
}

/// `replaces`: there were results in the folder before.
int tell_executed(const Executed& done, const Json& summaries, const std::string& out, bool replaces,
                  const Console& console) {
  if (console.json)
    print_text(indented(Json{{"folder", out}, {"runs", summaries}}));
  else if (!console.quiet)
    print_out("results in {}{}\n", out, replaces ? ", in place of earlier ones" : "");
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

int run_command(const RunRequest& request, const Console& console) {
  const ScenarioFile file = read_scenario_file(request.scenario, request.settings);
  const std::string out = folder_for(request);
  const bool replaces = is_result_folder(out);
  Telling telling(console);
  const Executed done = execute(file, out, options_of(request.resources, telling));
  telling.end();
  return tell_executed(done, telling.summaries(), out, replaces, console);
}

int sweep_command(const RunRequest& request, const Console& console) {
  const ScenarioFile file = read_scenario_file(request.scenario, request.settings);
  const std::string out = folder_for(request);
  const bool replaces = is_result_folder(out);
  Telling telling(console);
  const Executed done =
      execute_sweep(request.full ? at_full_size(file) : file, out, options_of(request.resources, telling));
  telling.end();
  return tell_executed(done, telling.summaries(), out, replaces, console);
}

int tune_command(const RunRequest& request, const Console& console) {
  const ScenarioFile file = read_scenario_file(request.scenario, request.settings);
  const std::string out = folder_for(request);
  Telling telling(console);
  const Json facts = execute_tune(file, out, options_of(request.resources, telling));
  telling.end();
  return tell_tuned(facts, out, console);
}

int replay_command(const std::string& folder, const Resources& resources, const Console& console) {
  Watching watching(console);
  const std::string difference = replay(folder, options_of(resources, watching));
  watching.end();
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
