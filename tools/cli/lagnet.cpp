#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "scenarios/files/result_folder.hpp"
#include "sim/base/errors.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/completion/completion_command.hpp"
#include "tools/cli/league_command.hpp"
#include "tools/cli/python_commands.hpp"
#include "tools/cli/reproduce_command.hpp"
#include "tools/cli/results/commands.hpp"
#include "tools/cli/results/compare_command.hpp"
#include "tools/cli/run_commands.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/console/help_format.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/interrupt.hpp"
#include "tools/console/output_options.hpp"
#include "tools/console/parse_errors.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/suggestions.hpp"
#include "tools/console/terminal.hpp"

/// The command line. Results go to stdout, messages to stderr. Exit status: 0 done, 1 a comparison failed or a run
/// diverged, 2 wrong input, 3 an internal error.
namespace {

using lagnet::tools::add_output_file;
using lagnet::tools::add_resources;
using lagnet::tools::add_settings;
using lagnet::tools::Console;
using lagnet::tools::HelpFormat;
using lagnet::tools::Resources;

void add_inspection(CLI::App& app, Console& console) {
  auto files = std::make_shared<std::vector<std::string>>();
  auto* validate = app.add_subcommand("validate", "Check scenarios without running them");
  validate->add_option("SCENARIO", *files, "scenario files")->required();
  auto settings = std::make_shared<std::vector<std::string>>();
  add_settings(*validate, *settings, "change a value before the check (repeatable), as in topology.agents=16");
  lagnet::tools::add_sweeps(*validate, *settings);
  lagnet::tools::add_algorithms(*validate, *settings);
  lagnet::tools::add_memory_budget(*validate);
  validate->callback(
      [=, &console] { console.exit_status = lagnet::tools::validate_command(*files, *settings, console); });

  auto scenario = std::make_shared<std::string>();
  auto* topology = app.add_subcommand("topology", "Print degrees, distances and spectrum of a topology");
  topology->add_option("SCENARIO", *scenario, "scenario file")->required();
  add_settings(*topology, *settings, "change a value first (repeatable), as in topology.agents=16");
  auto drawing = std::make_shared<lagnet::OutputFile>();
  add_output_file(*topology, *drawing, "draw it into this file, as SVG", false);
  lagnet::tools::add_memory_budget(*topology);
  topology->callback([scenario, settings, drawing, &console] {
    lagnet::tools::check_ending("topology: -o", drawing->path, {{".svg", "svg"}});
    console.exit_status = lagnet::tools::topology_command(*scenario, *settings, *drawing, console);
  });

  auto what = std::make_shared<std::string>();
  auto* list = app.add_subcommand("list", "List what a scenario can name, or the columns of results");
  list->add_option("WHAT", *what,
                   "algorithms, compressors, matrix_compressors, aggregations, attacks, topologies, topology_changes, "
                   "losses, regularizers, constraints, data, column_recipes, partitions, distributions, speeds, "
                   "clocks, latencies, clients, availability, "
                   "missing_neighbors, metrics, claims or profiles, by default all of these; or columns (of all result "
                   "tables) or papers")
      ->check(lagnet::tools::suggests("listings"));
  auto proven = std::make_shared<bool>();
  list->add_flag("--proven", *proven,
                 "with algorithms: how many properties of every correct method each one held, refused and failed in "
                 "`lagnet prove`");
  list->callback([=, &console] {
    lagnet::tools::refuse_idle(*list, "--proven", *what != "algorithms", "without the list algorithms");
    console.exit_status =
        *proven ? lagnet::tools::list_proven_command(console) : lagnet::tools::list_command(*what, console);
  });

  auto names = std::make_shared<std::vector<std::string>>();
  auto* describe =
      app.add_subcommand("describe", "Explain every key of a kind or section of a scenario, or a column of results");
  describe
      ->add_option("NAME", *names,
                   "kinds (star, logistic, ..), sections (network, stop, ..) and columns (queueing_s, ..)")
      ->required()
      ->check(lagnet::tools::suggests("names"));
  describe->callback([=, &console] { console.exit_status = lagnet::tools::describe_command(*names, console); });

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

  auto run = std::make_shared<std::string>(), data = std::make_shared<std::string>();
  auto table = std::make_shared<lagnet::OutputFile>();
  auto* predict = app.add_subcommand("predict", "Apply the model of a run to the samples of a file");
  predict->add_option("RUN", *run, "folder of a run, or of a point of a sweep")->required();
  predict->add_option("DATA", *data, "samples with labels, in the format of the run's own data")->required();
  add_output_file(*predict, *table, "write label, prediction and scores of every sample into this CSV file", false);
  predict->callback([run, data, table, &console] {
    lagnet::tools::check_ending("predict: -o", table->path, {{".csv", "csv"}});
    console.exit_status = lagnet::tools::predict_command(*run, *data, *table, console);
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
  check->add_flag("--update", *update, "write new goldens");
  check->add_flag("--markdown", console.markdown, "print statements as a Markdown table");
  check->callback([=, &console] {
    const bool are_goldens = !lagnet::is_result_folder(*goldens);
    lagnet::tools::refuse_idle(*check, "--update", !are_goldens, "on results: only golden scenarios have goldens");
    lagnet::tools::refuse_idle(*check, "--markdown", are_goldens, "on golden scenarios, since they have no statements");
    lagnet::tools::refuse_idle(*check, "--markdown", console.json, "beside --json");
    console.exit_status = lagnet::tools::check_command(*goldens, *update, console);
  });
}

/// By what they are for.
void group_commands(CLI::App& app) {
  const std::map<std::string, std::vector<std::string>> groups{
      {"Begin", {"new", "ask", "data", "import", "design", "completion"}},
      {"Run", {"run", "sweep", "retime", "tune", "reproduce", "slurm", "deploy", "agent", "calibrate"}},
      {"Look",
       {"validate", "estimate", "topology", "list", "describe", "schema", "compare", "explain", "predict", "report",
        "serve", "export"}},
      {"Prove", {"replay", "diff", "check", "prove", "hunt", "artifact", "league"}}};
  for (const auto& [title, commands] : groups)
    for (const std::string& command : commands) app.get_subcommand(command)->group(title);
}

/// A path of the user that the system refuses: too long, not there, not allowed.
lagnet::OutputError unusable_path(const std::filesystem::filesystem_error& error) {
  std::error_code gone;
  static_cast<void>(std::filesystem::current_path(gone));
  const std::string path = gone ? "the working folder" : error.path1().string();
  const std::error_code why = gone ? gone : error.code();
  return {fmt::format("{}: cannot be used: {}", path, why.message()), why};
}

/// Says what the system refuses; the exit status.
int failed(const std::system_error& error) {
  // What a thread cannot be started for is the one that names nothing.
  const bool is_thread = error.code() == std::errc::resource_unavailable_try_again;
  lagnet::tools::print_err("lagnet: {}{}\n", is_thread ? "a thread or process cannot be started: " : "", error.what());
  if (is_thread)
    lagnet::tools::print_err(
        "lagnet: ask for fewer --threads and --jobs, or raise the limit of processes (ulimit -u)\n");
  return 3;
}

/// Runs the command that was typed; the exit status.
int execute(CLI::App& app, const Console& console, const std::vector<std::string>& typed) {
  try {
    std::vector<std::string> words = lagnet::tools::with_joined_options(lagnet::tools::with_help_option(typed, app));
    std::ranges::reverse(words);  // as CLI11 wants them
    app.parse(std::move(words));
    return console.exit_status;
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int status = app.exit(error, out, err);
    const std::string refusal = status == 0 ? "" : lagnet::tools::explain_refusal(app, typed);
    if (!refusal.empty()) {
      lagnet::tools::print_wrapped(refusal);
      return 2;
    }
    lagnet::tools::print_text(out.str());
    lagnet::tools::print_err("{}", err.str());
    return status == 0 ? 0 : 2;
  } catch (const lagnet::tools::InputError& error) {
    lagnet::tools::print_wrapped(error.what());
    return 2;
  } catch (const lagnet::Diagnosed& error) {
    lagnet::tools::print_wrapped(error.what());
    return 2;
  } catch (const lagnet::WorldLimit& error) {
    lagnet::tools::print_wrapped(error.what());
    return 2;
  } catch (const lagnet::OutputError& error) {
    lagnet::yield_to_interruption();
    lagnet::tools::print_wrapped(error.what());
    return error.is_of_system ? 3 : 2;
  } catch (const std::bad_alloc&) {
    lagnet::tools::print_err("lagnet: not enough memory\n");
    return 3;
  } catch (const std::filesystem::filesystem_error& error) {
    const lagnet::OutputError unusable = unusable_path(error);
    lagnet::tools::print_wrapped(unusable.what());
    return unusable.is_of_system ? 3 : 2;
  } catch (const std::system_error& error) {
    return failed(error);
  } catch (const std::exception& error) {
    lagnet::tools::print_err("lagnet: internal error: {}\n", error.what());
    return 3;
  }
}

int run_main(int argc, char** argv) {
  CLI::App app("lagnet: a discrete-event network simulator for distributed convex optimization", "lagnet");
  app.set_version_flag("--version", lagnet::tools::version_text, "print version, build and formats, and exit");
  app.formatter(std::make_shared<HelpFormat>(lagnet::tools::terminal_columns(STDOUT_FILENO)));
  app.require_subcommand(1);
  app.fallthrough();
  Console console;
  app.add_flag("--quiet", console.quiet,
               "suppress progress and warnings; print results only with --json; differences are always printed");
  app.add_flag("--json", console.json, "print results as JSON");
  app.add_flag("-v,--verbose", console.verbose, "print a sentence for every point of a sweep, and its warnings");
  app.parse_complete_callback([&app] { lagnet::tools::refuse_unheeded_flags(app); });
  const std::vector<std::string> typed(argv + std::min(argc, 1), argv + argc);
  const std::string command = lagnet::tools::command_of_page(typed);
  lagnet::tools::add_new(app, console);
  lagnet::tools::add_ask(app, console, command);
  lagnet::tools::add_data(app, console);
  lagnet::tools::add_import(app, console);
  lagnet::tools::add_design(app, console);
  lagnet::tools::add_runs(app, console);
  lagnet::tools::add_deploy(app, console);
  lagnet::tools::add_agent(app, console);
  lagnet::tools::add_calibrate(app, console);
  add_inspection(app, console);
  add_comparison(app, console);
  lagnet::tools::add_compare(app, console);
  lagnet::tools::add_explain(app, console);
  lagnet::tools::add_prove(app, console);
  lagnet::tools::add_hunt(app, console);
  lagnet::tools::add_artifact(app, console);
  lagnet::tools::add_league(app, console);
  lagnet::tools::add_export(app, console);
  lagnet::tools::add_report(app, console, command);
  lagnet::tools::add_serve(app, console, command);
  lagnet::tools::add_completion(app, console);
  group_commands(app);
  lagnet::tools::refuse_empty_numbers(app);
  app.footer(
      "Most commands take --quiet and --json; `lagnet help COMMAND` lists the options of a command. Start with "
      "`lagnet run scenarios/examples/quickstart.json`.\nExit "
      "status: 0 done, 1 a comparison failed or a run diverged or ended in a deadlock, 2 wrong input, 3 the system "
      "lacks something (memory, disk, a reader of the output) or an internal error, 130, 143 or 129 interrupted by "
      "Ctrl-C, SIGTERM or a closed terminal (SIGHUP).");
  if (lagnet::tools::is_asked_to_complete(typed)) {
    lagnet::tools::print_candidates(app, typed, lagnet::tools::paper_figures);
    return 0;
  }
  lagnet::tools::watch_for_interrupts();
  const int status = execute(app, console, typed);
  const std::string failure = lagnet::tools::output_failure();
  if (failure.empty()) return status;
  lagnet::tools::print_err("lagnet: cannot write standard output: {}\n", failure);
  return status == 0 ? 3 : status;
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that went away and a file that grows too large are errors of writing, not the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run_main(argc, argv);
  } catch (const std::system_error& error) {
    return failed(error);
  } catch (const std::exception& error) {  // before or after a command: memory, threads
    std::fprintf(stderr, "lagnet: %s\n", error.what());
    return 3;
  }
}
