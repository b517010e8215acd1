#include "tools/cli/run_commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/compare/golden.hpp"
#include "scenarios/compare/replay.hpp"
#include "scenarios/estimate/estimate.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/settings.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/sweep/execute.hpp"
#include "scenarios/tune/tune.hpp"
#include "scenarios/tune/tuned_steps.hpp"
#include "scenarios/words/layout.hpp"
#include "sim/machine/allowance.hpp"
#include "tools/cli/point_watchers.hpp"
#include "tools/cli/results/commands.hpp"
#include "tools/cli/results/report_command.hpp"
#include "tools/cli/tuning_report.hpp"
#include "tools/console/estimate_text.hpp"
#include "tools/console/heartbeat.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"
#include "tools/flags/algorithm_flag.hpp"
#include "tools/serve/watching_process.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

/// With what the request says of other processes. Throws InputError if that contradicts itself.
ExecuteOptions options_of(const RunRequest& request, RunWatcher& watcher) {
  if (request.retime && request.part)
    throw InputError(
        "--part: expected it without --retime, where points take their values from those of other parts, "
        "found both");
  return {.settings = asked_settings(request.resources.threads, request.resources.jobs),
          .watcher = &watcher,
          .replaces = request.replace,
          .part = request.part};
}

std::string folder_for(const RunRequest& request) {
  if (!request.out.empty()) return request.out;
  return (fs::path("runs") / (request.scenario == "-" ? "stdin" : fs::path(request.scenario).stem())).string();
}

/// `replaces`: there were results in the folder before.
int tell_executed(const Executed& done, const Json& summaries, const std::string& out, bool replaces,
                  const Console& console) {
  print_answer(console, {{"folder", out}, {"runs", summaries}},
               fmt::format("results in {}{}\n", out, replaces ? ", in place of earlier ones" : ""));
  if (done.published == Executed::Published::before && !console.quiet)
    print_err(
        "done before: these results are of the same scenario, files and build, and nothing ran; --replace runs it "
        "again\n");
  return done.failed > 0 ? 1 : 0;
}

/// Throws InputError if an option is for several points where there is one.
void check_for_one_point(const Resources& resources, bool is_alone, std::string_view command,
                         const Console& console = {}) {
  if (resources.jobs && is_alone)
    throw InputError(fmt::format("{}: --jobs has no effect on a single run; --threads shares its work", command));
  if (console.verbose && is_alone)
    throw InputError(fmt::format("{}: --verbose has no effect on a single run, which has a sentence anyway", command));
}

bool is_alone(const ScenarioFile& file) {
  return file.document.value("sweep", Json::object()).empty() && !asks_for_tuning(file);
}

/// The scenario, with the options found that it wants tuned.
ScenarioFile with_wishes(const ScenarioFile& file, const RunRequest& request, const std::string& out,
                         const Console& console) {
  if (request.full) {
    Diagnostics problems(file.shown);
    check_full_leaves(file.document, request.settings, problems);
    problems.throw_if_any();
  }
  const ScenarioFile wanted = request.full ? at_full_size(file) : file;
  if (!asks_for_tuning(wanted)) return wanted;
  if (request.part)
    throw InputError("--part: expected numbers for all options, found tune, which every part would search");
  Console about_tuning = console;  // stdout is for the runs
  about_tuning.quiet = true;
  PointTeller telling(about_tuning);
  const TunedScenario tuned = tuned_steps(wanted, out, options_of(request, telling));
  telling.end();
  if (!console.quiet)
    for (const std::string& found : tuned.found) print_err("tuned with {} candidates: {}\n", tuning_budget, found);
  return tuned.file;
}

using Execute = std::function<Executed(const ScenarioFile&, const fs::path& out, const ExecuteOptions&)>;

Swept execute_told(const ScenarioFile& as_written, const RunRequest& request, const Console& console,
                   const Execute& execute_file) {
  const std::string out = folder_for(request);
  const ScenarioFile file = with_wishes(as_written, request, out, console);
  const bool replaces = is_result_folder(out);
  std::optional<WatchingProcess> watching;
  if (request.watch) {
    page_texts("--watch");  // without pages there is nothing to watch
    watching.emplace(out);
    print_err("watch it at {}\n", watching->url());
  }
  PointTeller telling(console);
  const Executed done = execute_file(file, out, options_of(request, telling));
  telling.end();
  if (done.published == Executed::Published::not_yet) {
    tell_part(request, out, console);
    return {.exit_status = done.failed > 0 ? 1 : 0, .published = done.published};
  }
  const bool is_new = done.published != Executed::Published::before;
  return {.exit_status = tell_executed(done, telling.summaries(), out, replaces && is_new, console),
          .published = done.published};
}

/// What `tune` says at the end, of the facts in tune.json.
int tell_tuned(const Json& facts, const std::string& out, bool replaces, const Console& console) {
  const Json& chosen = facts["chosen"];
  if (!console.quiet)
    for (const Json& remark : facts["remarks"]) print_err("tune: {}\n", remark["text"].get<std::string>());
  if (console.json) {
    Json told{{"folder", out}};
    told.update(facts);
    print_text(indented(told));
  } else if (!console.quiet && !chosen.is_null()) {
    print_text(tuning_report(facts, out, replaces));
  }
  if (!chosen.is_null()) return 0;
  print_err("tune: none of {} candidates can be chosen; {}/candidates.csv says why\n", shown(facts["candidates"]), out);
  return 1;
}

}  // namespace

void tell_part(const RunRequest& request, const std::string& out, const Console& console) {
  const std::string part = request.part->shown();
  print_answer(
      console, {{"folder", out}, {"part", part}, {"published", false}},
      fmt::format("part {} is finished; once all parts are, the same command without --part writes {}\n", part, out));
}

int run_command(const RunRequest& request, const Console& console) {
  const ScenarioFile file = read_scenario_file(request.scenario, request.settings);
  check_for_one_point(request.resources, is_alone(file), "run", console);
  if (request.resources.threads > 1 && is_alone(file) && file.document.value("numerics", Json()) == "off")
    throw InputError("run: --threads has no effect with numerics off, where nothing is computed");
  return execute_told(file, request, console, execute).exit_status;
}

int sweep_command(const RunRequest& request, const Console& console) {
  return sweep_request(request, console).exit_status;
}

Swept sweep_request(const RunRequest& request, const Console& console) {
  const auto alike = request.retime ? Plan::Alike::shared : Plan::Alike::apart;
  return execute_told(read_scenario_file(request.scenario, request.settings), request, console,
                      [alike](const ScenarioFile& file, const fs::path& out, const ExecuteOptions& options) {
                        return execute_sweep(file, out, options, alike);
                      });
}

int retime_command(const RunRequest& request, const Console& console) {
  const fs::path folder = request.scenario;
  check_for_one_point(request.resources, !is_tuning(folder) && fs::is_regular_file(folder / "summary.json"), "retime",
                      console);
  const std::string name = fs::absolute(folder / "").lexically_normal().parent_path().filename().string();
  const std::string out = request.out.empty() ? (fs::path("runs") / (name + "-retimed")).string() : request.out;
  const bool replaces = is_result_folder(out);
  PointTeller telling(console);
  const Executed done = execute_retimed(folder, request.settings, out, options_of(request, telling));
  telling.end();
  const bool is_new = done.published != Executed::Published::before;
  return tell_executed(done, telling.summaries(), out, replaces && is_new, console);
}

int estimate_command(const RunRequest& request, const Console& console) {
  const ScenarioFile as_written = read_scenario_file(request.scenario, request.settings);
  check_for_one_point(request.resources, is_alone(as_written), "estimate");
  const ScenarioFile file = with_theory(as_written);
  const std::vector<Scenario> scenarios = read_points(file, sweep_points(file));
  const EstimateOptions options{.clock = machine_seconds,
                                .cores = usable_cores(),
                                .settings = asked_settings(request.resources.threads, request.resources.jobs)};
  ExperimentCache cache;
  cache.keep_at_most(options.settings.memory / 2);
  const Estimate found = [&] {
    Heartbeat heartbeat("estimate", console.quiet, [](const std::string& line) { print_err("{}\n", line); });
    heartbeat.step(scenarios.size() == 1 ? "a run of it, for some rounds" : "some of its runs, for some rounds each");
    return estimate(scenarios, file.shown, cache, options);
  }();
  print_answer(console, estimate_json(found, file.shown, options), estimate_table(found, file.shown, options));
  if (asks_for_tuning(as_written) && !console.quiet)
    print_err("estimate: options with the value tune are searched before the runs, which is not in it\n");
  return 0;
}

int tune_command(const RunRequest& request, const Console& console) {
  const ScenarioFile file = read_scenario_file(request.scenario, request.settings);
  Diagnostics problems(file.shown);
  check_tune_leaves(file.document, request.settings, problems);
  problems.throw_if_any();
  const std::string out = folder_for(request);
  const auto written = [&] {
    std::error_code none;
    return fs::last_write_time(fs::path(out) / "tune.json", none);
  };
  const bool has_earlier = is_result_folder(out);
  const auto before = written();
  PointTeller telling(console);
  const Json facts = execute_tune(file, out, options_of(request, telling));
  telling.end();
  if (facts.is_null()) {
    tell_part(request, out, console);
    return 0;
  }
  return tell_tuned(facts, out, has_earlier && written() != before, console);
}

int replay_command(const std::string& folder, const Resources& resources, const Console& console) {
  const fs::path scenario = fs::path(folder) / "scenario.json";
  if (resources.jobs && fs::is_regular_file(scenario))
    check_for_one_point(
        resources, !fs::exists(fs::path(folder) / "sweep.csv") && is_alone(read_scenario_file(scenario)), "replay");
  PointWatcher watching(console);
  const auto difference =
      replay(folder, {.settings = asked_settings(resources.threads, resources.jobs), .watcher = &watching});
  watching.end();
  if (console.json)
    print_text(indented(Json{{"folder", folder},
                             {"same", !difference},
                             {"difference", difference ? sentence(*difference) : ""},
                             {"parts", difference ? parts_of(*difference) : Json()}}));
  else if (difference)
    print_out("{}: {}\n", folder, sentence(*difference));
  else if (!console.quiet)
    print_out("{}: the same, byte for byte\n", folder);
  return difference ? 1 : 0;
}

int check_command(const std::string& folder, bool update, const Console& console) {
  if (is_result_folder(folder)) {
    if (update) throw InputError(fmt::format("{}: expected a folder of golden scenarios, found results", folder));
    return claims_command(folder, console);
  }
  const std::vector<GoldenVerdict> verdicts = check_goldens(folder, {.update = update});
  Json list = Json::array();
  int failed = 0;
  bool may_renew = false;
  for (const GoldenVerdict& verdict : verdicts) {
    if (!verdict.differences.empty()) ++failed;
    may_renew = may_renew || is_renewed_by_update(verdict);
    if (console.json) {
      list.push_back(as_json(verdict));
      continue;
    }
    if (!console.quiet || !verdict.differences.empty())
      print_out("{}  {}\n", update ? "made" : verdict.differences.empty() ? "same" : "DIFFERS", verdict.name);
    for (const Difference& difference : verdict.differences)
      print_out("{}\n", set_in(sentence(difference), 6, line_columns(STDOUT_FILENO)));
  }
  if (console.json) print_text(indented(list));
  if (may_renew && !update && !console.json)
    print_out("{}\n", set_in(fmt::format("if this is intended, renew the goldens: lagnet check {} --update", folder), 0,
                             line_columns(STDOUT_FILENO)));
  return failed > 0 ? 1 : 0;
}

}  // namespace lagnet::tools
