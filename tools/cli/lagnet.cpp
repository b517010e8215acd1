#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/json/json_file.hpp"
#include "sim/base/errors.hpp"
#include "tools/cli/claims_command.hpp"
#include "tools/cli/compare_command.hpp"
#include "tools/cli/diff_command.hpp"
#include "tools/cli/help_format.hpp"
#include "tools/cli/inspect_commands.hpp"
#include "tools/cli/report_command.hpp"
#include "tools/cli/reproduce_command.hpp"
#include "tools/cli/run_commands.hpp"
#include "tools/console/interrupt.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"

/// The command line. Results go to stdout, messages to stderr. Exit status: 0 done, 1 a comparison failed or a run
/// diverged, 2 wrong input, 3 an internal error.
namespace {

using lagnet::tools::Console;
using lagnet::tools::Resources;
using lagnet::tools::RunRequest;

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
  command
      .add_option("--memory-budget-mib", given.memory_budget_mib,
                  "memory for points that run in parallel: a point waits until its estimated need fits; by default "
                  "three quarters of the memory available at the start")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->option_text("M");
}

void add_sweeps(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option_function<std::string>(
          "--sweep", [&settings](const std::string& swept) { settings.push_back(lagnet::sweep_setting(swept)); },
          "run every one of these values (repeatable: all combinations), as in topology.agents=4,9,16")
      ->check([](const std::string& swept) {
        return swept.find('=') == std::string::npos ? "expected a key and its values, as in topology.agents=4,9,16"
                                                    : "";
      })
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->trigger_on_parse()
      ->option_text("KEY=VALUES");
}

void add_settings(CLI::App& command, std::vector<std::string>& settings, const std::string& what) {
  command.add_option("--set", settings, what)->type_size(1)->allow_extra_args(false)->option_text("KEY=VALUE");
}

/// `run`, `sweep` and `tune`, which take the same.
void add_runner(CLI::App& app, Console& console, const char* name, const char* what,
                decltype(lagnet::tools::run_command)& execute) {
  auto* command = app.add_subcommand(name, what);
  auto given = std::make_shared<RunRequest>();
  command->add_option("SCENARIO", given->scenario, "scenario file (JSON)")->required();
  add_settings(
      *command, given->settings,
      "change a value before the run (repeatable), as in topology.agents=16; the value is JSON, or else a text");
  add_sweeps(*command, given->settings);
  command
      ->add_option("--out", given->out,
                   "result folder, either new or with only earlier results, which are replaced; by default runs/<name "
                   "of the file>")
      ->check(lagnet::tools::refuse_empty)
      ->option_text("DIR");
  add_resources(*command, given->resources);
  command->callback([given, &console, &execute] { console.exit_status = execute(*given, console); });
}

void add_reproduction(CLI::App& app, Console& console) {
  auto given = std::make_shared<RunRequest>();
  auto* command = app.add_subcommand("reproduce", "Run figures of a paper, and compare with what it says");
  command->add_option("PAPER/FIGURE", given->scenario,
                      "as in scenarios/papers: ancelin2021/figure1, or ancelin2021 for all of its figures; without it, "
                      "list papers and figures");
  command->add_flag("--full", given->full, "use the paper's size where the usual one is reduced");
  command->add_flag("--markdown", console.markdown, "print statements as a Markdown table");
  command->add_option("--out", given->out, "result folder; by default runs/PAPER/FIGURE")
      ->check(lagnet::tools::refuse_empty)
      ->option_text("DIR");
  add_resources(*command, given->resources);
  command->callback([given, &console] { console.exit_status = lagnet::tools::reproduce_command(*given, console); });
}

void add_runs(CLI::App& app, Console& console) {
  add_runner(app, console, "run", "Run a scenario or its sweep, and write a result folder", lagnet::tools::run_command);
  add_runner(app, console, "sweep",
             "Run a long sweep that can be resumed: if it is interrupted, finished points are kept and the same "
             "command goes on "
             "with the others; a point that fails stops no other",
             lagnet::tools::sweep_command);
  add_reproduction(app, console);
  add_runner(app, console, "tune",
             "Search parameters of a scenario: draw candidates from the ranges in a scenario's section \"tune\", run "
             "them as `sweep` does, "
             "and write a table of all candidates and the scenario of the one that is best in several metrics at once",
             lagnet::tools::tune_command);
}

void add_inspection(CLI::App& app, Console& console) {
  auto files = std::make_shared<std::vector<std::string>>();
  auto* validate = app.add_subcommand("validate", "Check scenarios without running them");
  validate->add_option("SCENARIO", *files, "scenario files")->required();
  auto settings = std::make_shared<std::vector<std::string>>();
  add_settings(*validate, *settings, "change a value before the check (repeatable), as in topology.agents=16");
  validate->callback(
      [=, &console] { console.exit_status = lagnet::tools::validate_command(*files, *settings, console); });

  auto scenario = std::make_shared<std::string>();
  auto* topology = app.add_subcommand("topology", "Print degrees, distances, spectrum and picture of a topology");
  topology->add_option("SCENARIO", *scenario, "scenario file")->required();
  add_settings(*topology, *settings, "change a value first (repeatable), as in topology.agents=16");
  topology->callback([scenario, settings, &console] {
    console.exit_status = lagnet::tools::topology_command(*scenario, *settings, console);
  });

  auto what = std::make_shared<std::string>();
  auto* list = app.add_subcommand("list", "List what a scenario can name");
  list->add_option(
      "WHAT", *what,
      "algorithms, topologies, topology_changes, losses, regularizers, constraints, data, partitions, distributions, "
      "speeds, latencies, clients, availability, missing_neighbors, metrics or claims, by default all of these; or "
      "papers");
  list->callback([what, &console] { console.exit_status = lagnet::tools::list_command(*what, console); });

  auto name = std::make_shared<std::string>();
  auto* describe = app.add_subcommand("describe", "Explain every key of a kind or of a section of the scenario");
  describe->add_option("NAME", *name, "a kind (star, logistic, ..) or a section (network, stop, ..)")->required();
  describe->callback([name, &console] { console.exit_status = lagnet::tools::describe_command(*name, console); });

  auto* schema = app.add_subcommand("schema", "Print the JSON Schema of scenario files");
  schema->callback([&console] { console.exit_status = lagnet::tools::schema_command(console); });
}

void add_comparison(CLI::App& app, Console& console) {
  auto folder = std::make_shared<std::string>();
  auto resources = std::make_shared<Resources>();
  auto* replay = app.add_subcommand("replay", "Run the scenario of a result folder again and compare the results");
  replay->add_option("DIR", *folder, "result folder")->required();
  add_resources(*replay, *resources);
  replay->callback([folder, resources, &console] {
    console.exit_status = lagnet::tools::replay_command(*folder, *resources, console);
  });

  auto first = std::make_shared<std::string>(), second = std::make_shared<std::string>();
  auto* diff = app.add_subcommand("diff", "Find where two runs first diverge, and which files differ");
  diff->add_option("A", *first, "trace.jsonl or result folder")->required();
  diff->add_option("B", *second, "trace.jsonl or result folder")->required();
  diff->callback(
      [first, second, &console] { console.exit_status = lagnet::tools::diff_command(*first, *second, console); });

  auto goldens = std::make_shared<std::string>("scenarios/golden");
  auto update = std::make_shared<bool>(false);
  auto* check = app.add_subcommand("check", "Check the claims of results; or run golden scenarios and compare");
  check->add_option("FOLDER", *goldens, "result folder, or a folder with NAME.json and NAME.golden.json")
      ->capture_default_str();
  check->add_flag("--update", *update, "write the goldens anew");
  check->add_flag("--markdown", console.markdown, "print statements as a Markdown table");
  check->callback(
      [goldens, update, &console] { console.exit_status = lagnet::tools::check_command(*goldens, *update, console); });
}

/// `command` is what the user typed, which stands in the page.
void add_report(CLI::App& app, Console& console, const std::string& typed) {
  auto given = std::make_shared<lagnet::tools::ReportRequest>();
  given->command = typed;
  auto* command = app.add_subcommand("report", "Write runs as a page for any browser, or a figure for print");
  command->add_option("DIR", given->folders, "result folders of runs and sweeps")->required();
  command->add_option("-o,--out", given->out, "file to write; by default report.html, or the figure's name")
      ->check(lagnet::tools::refuse_empty)
      ->option_text("FILE");
  command->add_option("--format", given->format, "html (the default) for the page; svg, png or pdf for one figure")
      ->check(CLI::IsMember({"html", "svg", "png", "pdf"}))
      ->option_text("FORMAT");
  command
      ->add_option("--figure", given->figure, "figure to draw: convergence, costs, faults, topology, links or timeline")
      ->option_text("NAME");
  command
      ->add_option(
          "--choose", given->choices,
          "set what the figure shows (repeatable), like the page's controls: y=objective, x=bytes, logX=true, run=2")
      ->type_size(1)
      ->allow_extra_args(false)
      ->option_text("KEY=VALUE");
  command->add_option("--width-mm", given->width_mm, "width of the figure, from 40 to 400; by default 85")
      ->check(CLI::Range(40.0, 400.0))
      ->check(lagnet::tools::refuse_infinite)
      ->option_text("MM");
  command->add_option("--from-s", given->from_s, "simulated time at which timelines begin, in s; by default 0")
      ->check(lagnet::tools::refuse_infinite)
      ->check(lagnet::tools::refuse_below_zero)
      ->option_text("S");
  command
      ->add_option("--to-s", given->to_s,
                   "simulated time at which timelines end, in s; by default as far as there is room")
      ->check(lagnet::tools::refuse_infinite)
      ->option_text("S");
  command->callback([given, &console] { console.exit_status = lagnet::tools::report_command(*given, console); });
}

/// Why a command that was typed is none, or "".
std::string unknown_command(const CLI::App& app) {
  const std::vector<std::string> left = app.remaining();
  const auto word = std::ranges::find_if(left, [](const std::string& typed) { return !typed.starts_with("-"); });
  if (!app.get_subcommands().empty() || word == left.end()) return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return fmt::format("expected one of the commands {}, found {}{}\n", lagnet::comma_list(names), *word,
                     lagnet::did_you_mean(*word, names));
}

/// Runs the command that was typed; the exit status.
int execute(CLI::App& app, const Console& console, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return console.exit_status;
  } catch (const CLI::ParseError& error) {
    if (const std::string unknown = unknown_command(app); !unknown.empty()) {
      lagnet::tools::print_err("{}", unknown);
      return 2;
    }
    std::ostringstream out, err;
    const int status = app.exit(error, out, err);
    lagnet::tools::print_text(out.str());
    lagnet::tools::print_err("{}", err.str());
    return status == 0 ? 0 : 2;
  } catch (const lagnet::ScenarioError& error) {
    lagnet::tools::print_err("{}\n", error.what());
    return 2;
  } catch (const lagnet::tools::InputError& error) {
    lagnet::tools::print_err("{}\n", error.what());
    return 2;
  } catch (const lagnet::OutputError& error) {
    lagnet::tools::yield_to_interrupt();
    lagnet::tools::print_err("{}\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    lagnet::tools::print_err("lagnet: not enough memory\n");
    return 3;
  } catch (const std::exception& error) {
    lagnet::tools::print_err("lagnet: internal error: {}\n", error.what());
    return 3;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("lagnet: a discrete-event network simulator for distributed convex optimization");
  app.set_version_flag("--version", std::string(lagnet::version()));
  app.formatter(std::make_shared<lagnet::tools::HelpFormat>(lagnet::tools::terminal_columns(STDOUT_FILENO)));
  app.require_subcommand(1);
  app.fallthrough();
  Console console;
  app.add_flag("--quiet", console.quiet, "print no progress, no warnings, and no results unless --json asks for them");
  app.add_flag("--json", console.json, "print results as JSON");
  add_runs(app, console);
  add_inspection(app, console);
  add_comparison(app, console);
  lagnet::tools::add_compare(app, console);
  std::string typed = "lagnet";
  for (int k = 1; k < argc; ++k) typed += std::string(" ") + argv[k];
  add_report(app, console, typed);
  lagnet::tools::group_commands(app);
  app.footer(
      "Every command takes --quiet and --json. Start with `lagnet run scenarios/examples/quickstart.json`.\nExit "
      "status: 0 done, 1 a comparison failed or a run diverged or ended in a deadlock, 2 wrong input, 3 internal "
      "error, 130 or 143 interrupted by Ctrl-C or SIGTERM.");
  lagnet::tools::watch_for_interrupts();
  const int status = execute(app, console, argc, argv);
  const std::string failure = lagnet::tools::output_failure();
  if (failure.empty()) return status;
  lagnet::tools::print_err("lagnet: cannot write standard output: {}\n", failure);
  return status == 0 ? 1 : status;
}
