#include "tools/cli/run_options.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "scenarios/files/pattern.hpp"
#include "scenarios/json/json_file.hpp"
#include "sim/machine/allowance.hpp"
#include "tools/cli/python_commands.hpp"
#include "tools/cli/reproduce_command.hpp"
#include "tools/cli/run_commands.hpp"
#include "tools/cli/slurm_command.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/output_options.hpp"
#include "tools/console/suggestions.hpp"
#include "tools/flags/algorithm_flag.hpp"

namespace lagnet::tools {

void add_resources(CLI::App& command, Resources& given) {
  command.add_option("--threads", given.threads, "threads for kernels, from 1 to 1024; results do not depend on it")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  command
      .add_option("--jobs", given.jobs,
                  "points of a sweep that run in parallel, from 1 to 1024, each with --threads; by default the number "
                  "of cores divided by the threads; results do not depend on it")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  add_memory_budget(command);
}

void add_memory_budget(CLI::App& command) {
  command
      .add_option_function<std::int64_t>(
          "--memory-budget-mib", [](std::int64_t mib) { set_memory_budget(mib * (Bytes{1} << 20)); },
          "memory budget of all runs: lagnet refuses what cannot fit, and a point of a sweep waits until its estimate "
          "fits beside the others; by default three quarters of the memory available at the start")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->option_text("M");
}

namespace {

/// An option that may be given again and again, and adds to the settings in the order in which it is typed, whichever
/// other option adds to them, too.
CLI::Option* add_setting_option(CLI::App& command, const char* name, const std::string& what, const char* value,
                                std::function<void(const std::string&)> add) {
  return command.add_option_function<std::string>(name, std::move(add), what)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->trigger_on_parse()
      ->option_text(value);
}

/// A setting for each section of a file, with all that is in it. Throws Diagnosed.
std::vector<std::string> sections_of(const std::string& file) {
  Diagnostics diagnostics(file);
  const Json document = read_json_file(file, diagnostics);
  diagnostics.throw_if_any();
  std::vector<std::string> settings;
  for (const auto& [key, value] : document.items()) settings.push_back(child_pointer("", key) + "=" + value.dump());
  return settings;
}

}  // namespace

void add_settings(CLI::App& command, std::vector<std::string>& settings, const std::string& what) {
  add_setting_option(command, "--set", what + "; or @FILE: replace the scenario's sections by those of a file",
                     "KEY=VALUE",
                     [&settings](const std::string& setting) {
                       if (!setting.starts_with("@")) return settings.push_back(setting);
                       const auto sections = sections_of(setting.substr(1));
                       settings.insert(settings.end(), sections.begin(), sections.end());
                     })
      ->check(suggests("settings"));
}

void add_sweeps(CLI::App& command, std::vector<std::string>& settings) {
  add_setting_option(command, "--sweep",
                     "run each of these values (repeatable: all combinations), as in topology.agents=4,9,16",
                     "KEY=VALUES", [&settings](const std::string& swept) { settings.push_back(sweep_setting(swept)); })
      ->check(suggests("settings"))
      ->check([](const std::string& swept) {
        const std::size_t equals = swept.find('=');
        if (equals == std::string::npos)
          return std::string("expected a key and its values, as in topology.agents=4,9,16");
        const std::string values = swept.substr(equals + 1);
        // One list of numbers alone, a range, or semicolons; lists may be values: [],[{"kind": "on_off"}].
        static const Pattern other_form(R"(\[[0-9.eE+, -]+\]|[^/]*\.\.[^/]*|[^{\["]*;.*)");
        return other_form.match(values) ? "expected values with commas between them, as in 4,9,16, found " + values
                                        : std::string();
      });
}

void add_algorithms(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option_function<std::vector<std::string>>(
          "--algorithm",
          [&settings](const std::vector<std::string>& typed) {
            const std::vector<std::string> first = algorithm_settings(typed);
            settings.insert(settings.begin(), first.begin(), first.end());
          },
          "use this algorithm with these options instead, as in extra step=0.5 (repeatable: run each of them)")
      ->type_size(1)
      ->allow_extra_args(false)
      ->check(suggests("algorithms"))
      ->option_text("NAME [KEY=VALUE]...");
}

namespace {

void add_part(CLI::App& command, std::optional<Share>& part) {
  command
      .add_option_function<std::string>(
          "--part", [&part](const std::string& text) { part = share_of(text); },
          "run every N-th point alone, from the K-th on: any number of processes, on any machines that see the result "
          "folder, run one part each. Once all parts have ended, the same command without --part runs what is missing "
          "and writes the results, which do not depend on N")
      ->check([](const std::string& text) {
        return share_of(text) ? "" : "expected K/N, the K-th of N parts, as in 2/5, found " + text;
      })
      ->option_text("K/N");
}

/// `run`, `sweep` and `tune`, which take the same.
void add_runner(CLI::App& app, Console& console, const char* name, const char* what, decltype(run_command)& execute) {
  auto* command = app.add_subcommand(name, what);
  auto given = std::make_shared<RunRequest>();
  command->add_option("SCENARIO", given->scenario, "scenario file (JSON)")->required();
  add_settings(
      *command, given->settings,
      "change a value before the run (repeatable), as in topology.agents=16; the value is JSON, or otherwise text");
  add_sweeps(*command, given->settings);
  add_algorithms(*command, given->settings);
  command
      ->add_option("-o,--out", given->out,
                   "result folder, either new or with earlier results of the same scenario; by default runs/<name of "
                   "the file>")
      ->check(refuse_empty)
      ->option_text("DIR");
  add_replace(*command, given->replace);
  if (std::string_view(name) != "tune")
    command->add_flag("--watch", given->watch,
                      "show the page of the results in a browser while they grow, as `serve` does: its address is "
                      "printed to stderr; results do not depend on it");
  if (std::string_view(name) == "sweep")
    command->add_flag("--retime", given->retime,
                      "compute one of the points that differ only in network or compute, and reuse its values for the "
                      "others if they do not depend on time");
  if (std::string_view(name) != "run") add_part(*command, given->part);
  add_resources(*command, given->resources);
  command->callback([given, &console, &execute] { console.exit_status = execute(*given, console); });
}

void add_estimation(CLI::App& app, Console& console) {
  auto given = std::make_shared<RunRequest>();
  auto* command = app.add_subcommand(
      "estimate",
      "Tell what a run or sweep takes before it starts: rounds, bytes, memory, and seconds of this machine, from a few "
      "rounds that it measures");
  command->add_option("SCENARIO", given->scenario, "scenario file (JSON)")->required();
  add_settings(*command, given->settings, "change a value first (repeatable), as in topology.agents=16");
  add_sweeps(*command, given->settings);
  add_algorithms(*command, given->settings);
  add_resources(*command, given->resources);
  command->callback([given, &console] { console.exit_status = estimate_command(*given, console); });
}

void add_retiming(CLI::App& app, Console& console) {
  auto given = std::make_shared<RunRequest>();
  auto* command = app.add_subcommand(
      "retime",
      "Give recorded runs the times of another network: repeat the events without numbers, and keep the values");
  command->add_option("DIR", given->scenario, "result folder of a run or a sweep")->required();
  add_settings(*command, given->settings,
               "change network or compute (repeatable), as in network.latency_ms=50; changes that could alter values "
               "are refused");
  add_sweeps(*command, given->settings);
  command->add_option("-o,--out", given->out, "result folder; by default runs/<name of the folder>-retimed")
      ->check(refuse_empty)
      ->option_text("DIR");
  add_replace(*command, given->replace);
  add_resources(*command, given->resources);
  command->callback([given, command, &console] {
    refuse_idle(*command, "--threads", true, "on retime, since it computes no numbers; --jobs runs points in parallel");
    console.exit_status = retime_command(*given, console);
  });
}

void add_reproduction(CLI::App& app, Console& console) {
  auto given = std::make_shared<RunRequest>();
  auto pdf = std::make_shared<std::string>();
  auto* command =
      app.add_subcommand("reproduce",
                         "Run figures of a paper, and compare the results with its statements; or repeat what `lagnet "
                         "artifact` wrote");
  command
      ->add_option("PAPER/FIGURE", given->scenario,
                   "as in scenarios/papers: ancelin2021/figure1, or ancelin2021 for all of its figures; or the zip "
                   "file of an artifact; without it, list papers and figures")
      ->check(suggests("papers"));
  command->add_flag("--full", given->full, "use the paper's size if the usual one is reduced");
  command
      ->add_option("--seeds", given->seeds,
                   "draws of data, graphs and participants that decide the statements: a number of seeds, starting "
                   "with the scenario's own, or a range as in 11..20; by default one draw")
      ->check(refuse_empty)
      ->option_text("N");
  add_settings(*command, given->settings, "change a value of the scenario first (repeatable), as in stop.rounds=100");
  command->add_flag("--markdown", console.markdown, "print statements as a Markdown table");
  command->add_option("-o,--out", given->out, "result folder; by default runs/PAPER/FIGURE")
      ->check(refuse_empty)
      ->option_text("DIR");
  add_replace(*command, given->replace);
  add_part(*command, given->part);
  add_resources(*command, given->resources);
  command->add_option("--pdf", *pdf, "also draw the figure of the scenario, all of its panels, for print")
      ->check(refuse_empty)
      ->option_text("FILE");
  command->callback([given, pdf, command, &app, &console] {
    check_ending("reproduce: --pdf", *pdf, {{".pdf", "pdf"}});
    const bool lists = given->scenario.empty();
    if (given->scenario.ends_with(".zip")) {
      refuse_all_idle(*command,
                      {"--full", "--pdf", "--seeds", "--set", "--part", "--markdown", "--threads",
                       "--memory-budget-mib", "--replace"},
                      true, "on an artifact, which says what is run");
      continue_in_python("reproduce", {{"artifact", given->scenario},
                                       {"out", given->out.empty() ? Json(nullptr) : Json(given->out)},
                                       {"jobs", given->resources.jobs.value_or(1)},
                                       {"json", console.json},
                                       {"quiet", console.quiet}});
    }
    refuse_all_idle(*command,
                    {"--full", "--pdf", "--seeds", "--set", "--part", "--out", "--markdown", "--threads", "--jobs",
                     "--memory-budget-mib"},
                    lists, "without PAPER/FIGURE, which lists papers and figures");
    refuse_idle(*command, "--markdown", console.json, "beside --json");
    refuse_all_idle(*command, {"--markdown", "--pdf"}, given->part.has_value(), "beside --part, which has no results");
    console.exit_status = reproduce_command(*given, *pdf, console);
  });
}

void add_slurm(CLI::App& app, Console& console) {
  auto given = std::make_shared<RunRequest>();
  auto wanted = std::make_shared<SlurmRequest>();
  auto* command = app.add_subcommand("slurm",
                                     "Print a script for Slurm that submits an array of jobs, each with a part of the "
                                     "points of a sweep, or of a search "
                                     "of parameters, and a job that writes the results after them");
  command->add_option("SCENARIO", given->scenario, "scenario file (JSON) that every task can read")->required();
  command->add_option("-o,--out", given->out, "result folder, which every task must see")
      ->required()
      ->check(refuse_empty)
      ->option_text("DIR REQUIRED");
  command->add_option("--tasks", wanted->tasks, "tasks of the array, from 1 to 100000")
      ->required()
      ->check(CLI::Range(1, 100'000))
      ->option_text("N REQUIRED");
  command->add_option("--time", wanted->time, "limit of a task, as sbatch takes it: 90 (minutes), 2:00:00 or 1-12")
      ->required()
      ->check([](const std::string& time) {
        return is_slurm_time(time) ? "" : "expected a time such as 90 (minutes), 2:00:00 or 1-12, found " + time;
      })
      ->option_text("TIME REQUIRED");
  command->add_option("--cpus", wanted->cpus, "cores of a task, each of which runs a point at a time; by default 1")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  command
      ->add_option("--mem-mib", wanted->memory_mib,
                   "memory of a task; by default what its points at a time are estimated to take, and a third more")
      ->check(CLI::Range(1, 1 << 30))
      ->option_text("M");
  command
      ->add_option("--sbatch", wanted->options,
                   "further option of sbatch (repeatable), as in --sbatch=--partition=long")
      ->type_size(1)
      ->allow_extra_args(false)
      ->check([](const std::string& option) {
        const bool is_line = option.starts_with("-") && option.find_first_of("\r\n") == std::string::npos;
        return is_line ? "" : "expected an option such as --partition=long, found " + option;
      })
      ->option_text("OPTION");
  add_settings(*command, given->settings, "change a value first (repeatable), as in topology.agents=16");
  add_sweeps(*command, given->settings);
  add_algorithms(*command, given->settings);
  command->callback([given, wanted, &console] { console.exit_status = slurm_command(*given, *wanted, console); });
}

}  // namespace

void add_runs(CLI::App& app, Console& console) {
  add_runner(app, console, "run",
             "Run a scenario or all points of its sweep, and write a result folder: after an interruption, the same "
             "command continues a sweep from its finished points",
             run_command);
  add_runner(app, console, "sweep",
             "Run a sweep as `run` does: a scenario without a sweep becomes a sweep of one point", sweep_command);
  add_estimation(app, console);
  add_retiming(app, console);
  add_reproduction(app, console);
  add_runner(app, console, "tune",
             "Search parameters of a scenario: draw candidates from the ranges in its section \"tune\", run them as "
             "`sweep` does, and write a table of all candidates and the scenario of the best one, which is first to a "
             "level or best in several metrics",
             tune_command);
  add_slurm(app, console);
}

}  // namespace lagnet::tools
