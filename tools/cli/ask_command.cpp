#include "tools/cli/commands.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "scenarios/tune/tuned_steps.hpp"
#include "scenarios/words/layout.hpp"
#include "tools/cli/results/compare_command.hpp"
#include "tools/cli/results/report_command.hpp"
#include "tools/cli/run_commands.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/output_options.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/suggestions.hpp"
#include "tools/console/terminal.hpp"
#include "tools/flags/algorithm_flag.hpp"
#include "tools/flags/data_flag.hpp"
#include "tools/flags/network_flags.hpp"
#include "tools/flags/questions.hpp"
#include "tools/flags/scenario_flags.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

/// What `ask` is asked.
struct AskRequest {
  ScenarioFlags flags;
  std::vector<std::string> algorithms;  // in place of the usual ones, with their options
  std::string scenario, out;            // file and folder to write; by default named after the data
  bool is_dry = false;                  // only the scenario
  bool replace = false;                 // earlier results
  bool are_of_theory = false;           // options that theory has values for are not tuned
  Resources resources;
  std::string command = {};  // as it was typed
};

/// A method on a topology that takes part.
struct Contestant {
  std::string algorithm, topology;
};

bool is_rectangle(std::int64_t agents) {
  for (std::int64_t rows = 2; rows * rows <= agents; ++rows)
    if (agents % rows == 0) return true;
  return false;
}

/// A sparse, a middling and a dense one.
std::vector<std::string> peer_topologies(std::int64_t agents) {
  return {"ring", is_rectangle(agents) ? "lattice" : "random_geometric", "complete"};
}

/// Federated methods around a server, and methods of peers.
std::vector<Contestant> usual_contestants(std::int64_t agents) {
  std::vector<Contestant> all{{"fed_avg local_steps=1", "star"},
                              {"fed_avg local_steps=5", "star"},
                              {"scaffold local_steps=5", "star"},
                              {"distributed_fista", "star"},
                              {"distributed_fista momentum=constant", "star"}};
  for (const char* algorithm : {"extra", "nids", "gradient_tracking"})
    for (const std::string& topology : peer_topologies(agents)) all.push_back({algorithm, topology});
  return all;
}

/// The ones that were asked for, on the topologies of the usual ones.
std::vector<Contestant> contestants(const AskRequest& request, std::int64_t agents) {
  if (request.algorithms.empty()) return usual_contestants(agents);
  std::vector<Contestant> all;
  for (const std::string& typed : request.algorithms)
    if (has_server(algorithm_of(typed)["kind"]))
      all.push_back({typed, "star"});
    else
      for (const std::string& topology : peer_topologies(agents)) all.push_back({typed, topology});
  return all;
}

/// "extra step=0.5 on ring".
std::string contestant_label(const Contestant& one) {
  std::string algorithm = one.algorithm;
  std::ranges::replace(algorithm, '\n', ' ');
  return algorithm + " on " + one.topology;
}

/// One line of the sweep for each contestant.
std::string points_text(const std::vector<Contestant>& all, std::int64_t agents, bool are_tuned,
                        const Json& server_site) {
  std::string text;
  for (const Contestant& one : all) {
    Json algorithm = algorithm_of(one.algorithm);
    if (are_tuned) algorithm = with_tuned_options(std::move(algorithm));
    const Json topology = topology_section(one.topology, has_server(algorithm["kind"]) ? agents + 1 : agents);
    Json point{{"label", contestant_label(one)}, {"/topology", topology}, {"/algorithm", algorithm}};
    if (!server_site.is_null()) point["/network/server_site"] = has_server(algorithm["kind"]) ? server_site : Json();
    text += fmt::format("{}      {}", text.empty() ? "" : ",\n", on_one_line(point));
  }
  return text;
}

/// Whether an option is left to be tuned. Throws InputError if --no-tune finds none.
bool tunes_any(const AskRequest& request, const std::vector<Contestant>& all) {
  const auto has_some = [](const Contestant& one) {
    const Json algorithm = algorithm_of(one.algorithm);
    return with_tuned_options(algorithm) != algorithm;
  };
  const bool has_any = std::ranges::any_of(all, has_some);
  if (request.are_of_theory && !has_any)
    throw InputError("ask: --no-tune has no effect: no option of these methods is left to theory");
  return !request.are_of_theory && has_any;
}

std::string scenario_text(const AskRequest& request, const fs::path& file) {
  const ScenarioFlags& flags = request.flags;
  const std::int64_t agents = data_holders(flags, 16);
  const ChosenData data = choose_data(flags, file.parent_path());
  const std::vector<Contestant> all = contestants(request, agents);
  const bool are_tuned = tunes_any(request, all);
  const Json network = network_section(flags, 20, file.parent_path());
  // Latencies, what profiles draw, and geometric graphs; without them every seed gives the same run.
  bool is_random = network.value("latency_ms", Json()).is_object() || !flags.profile.empty() || flags.data.empty();
  for (const Contestant& one : all) is_random = is_random || one.topology == "random_geometric";
  return fmt::format(
      R"({{
  // Written by `lagnet ask`. Which of these methods and topologies reaches a relative error of {to} first?
  "lagnet": 1,
  "name": {name},
  // {samples} samples with {features} features; {remark}.
  "data": {data},
  "problem": {{"loss": {{"kind": "{loss}"}}, "regularizer": {{"kind": "l2", "weight": {l2}}}}},
  // {agents} agents hold the samples; around a server there is one more.
  "topology": {{"kind": "ring", "agents": {agents}}},
  "network": {network},
  "compute": {{"speed_flops_per_s": 1e9}},
  // {steps}
  "algorithm": {{"kind": "extra"}},
  // Runs go on below {to} for a while, to distinguish a method that only touches it from one that stays there.
  "stop": {{"rounds": 5000, "relative_error": {to}, "stays_rows": 20}},
  "sweep": {{
    "points": [
{points}
    ],
    "/seed": {seeds}
  }}
}}
)",
      fmt::arg("to", flags.to.value_or(1e-3)), fmt::arg("name", Json(file.stem().string()).dump()),
      fmt::arg("samples", data.samples), fmt::arg("features", data.features), fmt::arg("remark", data.remark),
      fmt::arg("data", on_one_line(data.section)), fmt::arg("loss", data.loss), fmt::arg("l2", flags.l2.value_or(0.01)),
      fmt::arg("agents", agents), fmt::arg("network", on_one_line(network)),
      fmt::arg(
          "steps",
          are_tuned
              ? fmt::format("lagnet tunes step sizes before the runs: {} candidates for each method on each topology.",
                            tuning_budget)
              : "Every method has its theoretical step size, unless its options set another one."),
      fmt::arg("points", points_text(all, agents, are_tuned, server_site(flags))),
      fmt::arg("seeds", is_random ? "[1, 2, 3]" : "[1]"));
}

/// "ask-mine" for mine.csv.bz2.
std::string usual_name(const std::string& data) {
  const std::string file = fs::path(data_file_of(data)).filename().string();
  return "ask-" + (data.empty() ? "made-up" : file.substr(0, file.find('.')));
}

/// The table of costs in lines that are short enough for any terminal.
void tell_costs(const ResultTable& costs, double to) {
  constexpr std::size_t series = 1, seconds = 2, bytes = 3, front = 4;  // columns
  const auto number = [](const ResultCell& cell) {
    return cell.kind == ResultCell::Kind::number ? fmt::format("{:.5g}", cell.number) : "-";
  };
  TextRows rows{{"", "time (s)", "bytes", "on the front"}};
  for (const auto& row : costs.rows)
    rows.push_back({row[series].text, number(row[seconds]), number(row[bytes]), row[front].text});
  print_out("\nmedian cost of {:g}; on the front: no other is better in both time and bytes\n{}\n", to,
            laid_out(rows, {true, false, false, true}));
}

/// What was tuned, before the answer that depends on it.
std::string tuning_text(const AskRequest& request, const std::vector<Contestant>& all) {
  if (request.are_of_theory) return "not tuned: step sizes are theoretical, and tuned ones may change who is first";
  std::vector<std::string> others;
  for (const Contestant& one : all)
    if (const Json algorithm = algorithm_of(one.algorithm); with_tuned_options(algorithm) == algorithm)
      others.push_back(contestant_label(one));
  if (others.size() == all.size()) return "not tuned: all step sizes are given";
  std::string text = fmt::format("tuned: step sizes of {} of {} methods and topologies, with {} candidates each",
                                 all.size() - others.size(), all.size(), tuning_budget);
  return others.empty() ? text : text + "; not those of " + comma_list(others);
}

void tell_answer(const AskRequest& request, const std::string& folder) {
  const double to = request.flags.to.value_or(1e-3);
  const std::string tuned = tuning_text(request, contestants(request, data_holders(request.flags, 16)));
  print_out("\n{}\n", wrapped(tuned, terminal_columns(STDOUT_FILENO) - 1, 2));
  const RecordedRuns recorded = read_recorded_runs({folder});
  const ComparedRuns compared = compare_runs(recorded.runs, {.to = {to}, .all = true});
  for (const ResultTable& table : compared.tables)
    if (table.name == "pareto") tell_costs(table, to);
  print_text(verdict_text(compared, terminal_columns(STDOUT_FILENO) - 1));
}

/// The files of the question of this name: another question has another number, "ask-mine-2".
std::string free_name(const AskRequest& request) {
  const std::string usual = usual_name(request.flags.data);
  for (int k = 1;; ++k) {
    const std::string name = k == 1 ? usual : fmt::format("{}-{}", usual, k);
    const fs::path file = name + ".json";
    if (!fs::exists(file) || read_file(file) == scenario_text(request, fs::absolute(file))) return name;
  }
}

/// Writes a scenario that compares a sensible set of methods, runs it, prints the result and writes the page.
int ask_command(AskRequest request, const Console& console) {
  if (!console.quiet) ask_for_label(request.flags);
  const std::string name = request.scenario.empty() ? free_name(request) : usual_name(request.flags.data);
  const fs::path file = request.scenario.empty() ? name + ".json" : request.scenario;
  const std::string text = scenario_text(request, fs::absolute(file));
  // The same question again goes on where it was interrupted.
  if (!fs::exists(file) || read_file(file) != text) {
    refuse_existing(file, "ask");
    write_checked_scenario(file, text);
  }
  if (!console.quiet) {
    print_wrapped(fmt::format("{1}{0}: the scenario; change it and go on with `lagnet run {0}`", file.string(),
                              remarks_text(choose_data(request.flags, "."))));
  }
  if (request.is_dry) {
    if (console.json) print_text(indented(Json{{"scenario", file.string()}}));
    return 0;
  }
  const std::string out = request.out.empty() ? (fs::path("runs") / name).string() : request.out;
  const int status = run_command({.scenario = file.string(),
                                  .settings = {},
                                  .out = out,
                                  .replace = request.replace,
                                  .resources = request.resources},
                                 console);
  if (!console.quiet && !console.json) tell_answer(request, out);
  if (!has_reports()) return status;
  const std::string page = out + "/report.html";
  if (!fs::exists(page))  // new results have replaced it with their folder
    report_command({.folders = {out}, .out = {page, false}, .command = request.command}, Console{.quiet = true});
  if (!console.quiet && !console.json) print_out("\nthe page: {}\n", page);
  return status;
}

}  // namespace

void add_ask(CLI::App& app, Console& console, const std::string& typed) {
  auto given = std::make_shared<AskRequest>();
  given->command = typed;
  auto* command = app.add_subcommand("ask",
                                     "Find the method and topology that reach an error first: tune the step sizes of "
                                     "usual methods on your data, run them, print the answer and write the page");
  add_scenario_flags(*command, given->flags);
  command
      ->add_option("--algorithm", given->algorithms,
                   "method and its options, as in extra step=0.5 (repeatable), in place of the usual methods")
      ->type_size(1)
      ->allow_extra_args(false)
      ->check(suggests("algorithms"))
      ->option_text("NAME [KEY=VALUE]...");
  command->add_flag("--no-tune", given->are_of_theory,
                    "use theoretical step sizes: the answer arrives several times sooner, and may name another method");
  command->add_option("--scenario", given->scenario, "scenario file to write; by default ask-<name of the data>.json")
      ->check(refuse_empty)
      ->option_text("FILE");
  command->add_option("-o,--out", given->out, "result folder; by default runs/ask-<name of the data>")
      ->check(refuse_empty)
      ->option_text("DIR");
  add_replace(*command, given->replace);
  command->add_flag("--dry-run", given->is_dry, "write the scenario, and run nothing");
  add_resources(*command, given->resources);
  command->callback([given, command, &console] {
    check_ending("ask: --scenario", given->scenario, json_endings);
    refuse_idle(*command, "--label", given->flags.data.empty(), "without --data");
    refuse_all_idle(*command, {"--out", "--threads", "--jobs"}, given->is_dry, "beside --dry-run, which runs nothing");
    console.exit_status = ask_command(*given, console);
  });
}

}  // namespace lagnet::tools
