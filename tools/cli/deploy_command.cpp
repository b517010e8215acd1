#include "tools/cli/commands.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/deploy/keys.hpp"
#include "scenarios/deploy/local_run.hpp"
#include "scenarios/deploy/planned_run.hpp"
#include "scenarios/deploy/round_times.hpp"
#include "scenarios/deploy/share_file.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/result_columns.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "scenarios/words/words.hpp"
#include "tools/cli/deploy_options.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/output_options.hpp"
#include "tools/console/printing.hpp"

namespace lagnet::tools {

namespace {

constexpr const char* measured_anew = "replaces results of the same scenario, since each run measures new times";

namespace fs = std::filesystem;

int tell_result(const Outcome& outcome, const std::string& out, bool replaces, const Console& console) {
  if (console.json) {
    print_text(indented(Json{{"folder", out}, {"rows", outcome.rows.size()}}));
  } else if (!console.quiet && !outcome.rows.empty()) {
    const Row& last = outcome.rows.back();
    print_out("{} in {:.6g} s of real time{}\n", counted(last.round, "round"), last.at.in_seconds(),
              last.objective ? fmt::format(", objective {:.9g}", *last.objective) : "");
    print_out("results in {}{}\n", out, replaces ? ", in place of earlier ones" : "");
  }
  return outcome.failed() ? 1 : 0;
}

/// A scenario to be deployed.
struct Chosen {
  std::string scenario;
  std::vector<std::string> settings;
  ScenarioFile read() const { return read_scenario_file(scenario, settings); }
  std::string folder() const { return (fs::path("runs") / (fs::path(scenario).stem().string() + "-tcp")).string(); }
};

void add_chosen(CLI::App& command, Chosen& chosen) {
  command.add_option("SCENARIO", chosen.scenario, "scenario file")->required();
  add_settings(command, chosen.settings, "change a value first (repeatable), as in topology.agents=16");
  add_algorithms(command, chosen.settings);
}

void add_local(CLI::App& deploy, Console& console) {
  struct Request : Chosen {
    std::string out;
    std::optional<std::uint32_t> processes;
    double patience_s = 30;
    bool restarts = false, replace = false;
  };
  auto request = std::make_shared<Request>();
  auto* local = deploy.add_subcommand("local", "Run all processes on this computer, in real time");
  add_chosen(*local, *request);
  local->add_option("-n,--processes", request->processes, "processes; by default one for each agent")
      ->check(CLI::Range(1, 4096))
      ->option_text("N");
  local->add_option("-o,--out", request->out, "folder for the results; by default runs/NAME-tcp")
      ->check(refuse_empty)
      ->option_text("DIR");
  add_replace(*local, request->replace, measured_anew);
  local->add_flag("--restart", request->restarts,
                  "restart a killed process, without its state; only for scenarios whose agents can continue without a "
                  "neighbor (participation.missing_neighbor)");
  add_patience(*local, request->patience_s);
  local->callback([request, &console] {
    const std::string out = request->out.empty() ? request->folder() : request->out;
    LocalRunOptions options{.processes = request->processes};
    options.patience = milliseconds(request->patience_s);
    options.restarts = request->restarts;
    options.replaces = request->replace;
    options.warn = warner(console);
    const bool replaces = is_result_folder(out);
    const Outcome outcome = with_input_errors([&] { return run_locally(request->read(), out, options); });
    console.exit_status = tell_result(outcome, out, replaces, console);
  });
}

void add_plan(CLI::App& deploy, Console& console) {
  struct Request : Chosen {
    std::string hosts;
    OutputFile out{.path = "plan.json"};
  };
  auto request = std::make_shared<Request>();
  auto* plan = deploy.add_subcommand("plan", "Write a plan: which process runs which agents, on which computer");
  add_chosen(*plan, *request);
  plan->add_option("--agents", request->hosts,
                   "file with one HOST:PORT per line, perhaps with the agents that run there (10.0.0.2:7700 3 4 5); by "
                   "default agents are spread over all processes")
      ->required()
      ->option_text("FILE REQUIRED");
  add_output_file(*plan, request->out, "file to write; by default plan.json", true);
  plan->callback([request, &console] {
    check_ending("deploy plan: -o", request->out.path, json_endings);
    with_input_errors([&] { make_plan(request->read(), request->hosts, request->out); });
    if (console.quiet) return;
    print_out(
        "{} is written; each computer needs it, and the data beside it (or its own part of them: lagnet deploy "
        "shares). Processes on several computers need certificates:\n  lagnet deploy keys {}\nOn each, for an agent of "
        "each process:\n"
        "  lagnet agent {} --id AGENT\nThen, with the records of all of them:\n"
        "  lagnet deploy collect {} RECORD .. --out DIR\n",
        request->out.path, request->out.path, request->out.path, request->out.path);
  });
}

void add_keys(CLI::App& deploy, Console& console) {
  struct Request {
    std::string plan, out;
    int days = 365;
  };
  auto request = std::make_shared<Request>();
  auto* keys =
      deploy.add_subcommand("keys", "Make the certificates with which the processes of a plan identify each other");
  keys->add_option("PLAN", request->plan, "file of `deploy plan`")->required();
  keys->add_option("-o,--out", request->out, "folder to write; by default PLAN.keys beside the plan")
      ->check(refuse_empty)
      ->option_text("DIR");
  constexpr int longest = 3650;
  keys->add_option("--days", request->days, "days of validity; by default 365")
      ->check(CLI::Range(1, longest))
      ->capture_default_str()
      ->option_text("N");
  keys->callback([request, &console] {
    const fs::path out = request->out.empty() ? keys_folder(request->plan) : fs::path(request->out);
    with_input_errors([&] { make_keys(request->plan, out, request->days); });
    if (console.quiet) return;
    print_out(
        "{0} has a folder for each process. Copy it only to that process's computer, into {0} beside the plan: it "
        "contains the private key of the process.\n",
        out.string());
  });
}

void add_shares(CLI::App& deploy, Console& console) {
  auto plan = std::make_shared<std::string>();
  auto* shares = deploy.add_subcommand("shares", "Write the data of each process's own agents into a file per process");
  shares->add_option("PLAN", *plan, "file of `deploy plan`")->required();
  shares->callback([plan, &console] {
    with_input_errors([&] { make_shares(*plan); });
    if (console.quiet) return;
    print_out(
        "{0} has a file for each process. A process's computer needs only its own file, in {0} beside the plan, and no "
        "other data; `deploy collect` reads all of them.\n",
        shares_folder(*plan).string());
  });
}

void add_collect(CLI::App& deploy, Console& console) {
  struct Request {
    std::string plan, out;
    std::vector<std::string> records;
    bool replace = false;
  };
  auto request = std::make_shared<Request>();
  auto* collect = deploy.add_subcommand("collect", "Write the result folder from the records of all processes");
  collect->add_option("PLAN", request->plan, "file of `deploy plan`")->required();
  collect->add_option("RECORD", request->records, "records of `lagnet agent`, of all processes")->required();
  collect->add_option("-o,--out", request->out, "folder for the results; by default runs/PLAN")
      ->check(refuse_empty)
      ->option_text("DIR");
  add_replace(*collect, request->replace, measured_anew);
  collect->callback([request, &console] {
    const std::string out =
        !request->out.empty() ? request->out : (fs::path("runs") / fs::path(request->plan).stem()).string();
    const std::vector<fs::path> records(request->records.begin(), request->records.end());
    const bool replaces = is_result_folder(out);
    const Outcome outcome = with_input_errors(
        [&] { return collect_records(request->plan, records, out, request->replace, warner(console)); });
    console.exit_status = tell_result(outcome, out, replaces, console);
  });
}

int deploy_compare_command(const std::string& real, const std::string& simulated, const Console& console) {
  const RecordedRun measured = read_recorded_run(real), computed = read_recorded_run(simulated);
  if (!measured.summary.contains("runtime"))
    throw InputError(fmt::format("{}: expected a run of real processes, found a simulated one", real));
  if (computed.summary.contains("runtime"))
    throw InputError(fmt::format("{}: expected a simulated run, found one of real processes", simulated));
  const RoundTimes times = compare_round_times(measured, computed);
  if (console.json) {
    print_text(indented(Json{{"rounds", times.rounds},
                             {"real_s", times.real_s},
                             {"simulated_s", times.simulated_s},
                             {"error_median", times.error_median},
                             {"error_p95", times.error_p95},
                             {"same_values", times.same_values}}));
  } else if (!console.quiet) {
    print_sentences(fmt::format("a round takes {:.6g} s in {}, and {:.6g} s simulated (medians of {} rounds)",
                                times.real_s, real, times.simulated_s, times.rounds));
    print_sentences(fmt::format("|real - simulated| / simulated: median {} %, 95th percentile {} %",
                                short_number(100 * times.error_median), short_number(100 * times.error_p95)));
    if (times.error_median > 1)  // more than twice as long
      print_sentences(
          "the network or the computers are slower than those of the scenario: `lagnet calibrate` measures them");
    print_out("objectives: {}\n", times.same_values ? "the same bits in every round" : "they differ");
  }
  return times.same_values ? 0 : 1;
}

void add_compare_times(CLI::App& deploy, Console& console) {
  auto folders = std::make_shared<std::array<std::string, 2>>();
  auto* compare = deploy.add_subcommand("compare", "Compare the times of a run in real time with simulated ones");
  compare->add_option("REAL", (*folders)[0], "result folder of a deployed run")->required();
  compare->add_option("SIMULATED", (*folders)[1], "result folder of the same scenario, simulated")->required();
  compare->callback(
      [folders, &console] { console.exit_status = deploy_compare_command((*folders)[0], (*folders)[1], console); });
}

}  // namespace

void add_deploy(CLI::App& app, Console& console) {
  auto* deploy = app.add_subcommand("deploy", "Run agents as processes that exchange messages over TCP");
  deploy->require_subcommand(1);
  add_local(*deploy, console);
  add_plan(*deploy, console);
  add_keys(*deploy, console);
  add_shares(*deploy, console);
  add_collect(*deploy, console);
  add_compare_times(*deploy, console);
}

void add_agent(CLI::App& app, Console& console) {
  struct Request {
    std::string plan, out;
    TalkRequest talk;
    std::uint32_t agent = 0;
    double patience_s = 30;
  };
  auto request = std::make_shared<Request>();
  auto* agent = app.add_subcommand("agent", "Run the process of one agent of a plan, in real time");
  agent->add_option("PLAN", request->plan, "file of `deploy plan`")->required();
  agent->add_option("--id", request->agent, "agent; its process runs all agents that the plan assigns to it")
      ->required()
      ->option_text("AGENT REQUIRED");
  agent
      ->add_option("-o,--out", request->out,
                   "file to record the agents' events in; by default agent_AGENT.record; an earlier record is renamed")
      ->check(refuse_empty)
      ->option_text("FILE");
  add_talk(*agent, request->talk);
  add_patience(*agent, request->patience_s);
  agent->callback([request, &console] {
    const std::string out = request->out.empty() ? fmt::format("agent_{}.record", request->agent) : request->out;
    PlannedAgentOptions options{.agent = request->agent, .record = out};
    apply(request->talk, options);
    options.patience = milliseconds(request->patience_s);
    options.warn = warner(console);
    with_input_errors([&] { run_planned_agent(request->plan, options); });
    if (!console.quiet) print_out("its agents have ended; their events are recorded in {}\n", out);
  });
}

}  // namespace lagnet::tools
