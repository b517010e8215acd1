#include "tools/cli/commands.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/deploy/planned_calibration.hpp"
#include "scenarios/files/output_file.hpp"
#include "tools/cli/deploy_options.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/output_options.hpp"
#include "tools/console/printing.hpp"

namespace lagnet::tools {

namespace {

struct CalibrateRequest {
  std::string plan;  // a scenario for --local
  OutputFile out;
  std::optional<std::uint32_t> agent;
  std::vector<std::string> records;
  TalkRequest talk;
  bool is_local = false;
  std::optional<std::uint32_t> processes;
  double patience_s = 30;
};

void measure(const CalibrateRequest& request, const Console& console) {
  const OutputFile out = or_default(request.out, fmt::format("agent_{}.calibration", *request.agent));
  PlannedAgentOptions options{.agent = *request.agent, .record = out.path};
  apply(request.talk, options);
  options.patience = milliseconds(request.patience_s);
  options.warn = warner(console);
  with_input_errors([&] {
    check_output(out, "");  // before it takes time to measure
    calibrate_planned(request.plan, options);
  });
  if (!console.quiet) print_out("the measurements of its process are in {}\n", out.path);
}

void tell_calibration(const Json& sections, const OutputFile& out, const Console& console) {
  constexpr int indent = 1;
  write_output(out, sections.dump(indent) + "\n");
  if (console.json) return print_text(indented(sections));
  if (console.quiet) return;
  const Json& network = sections["network"];
  print_out(
      "a link takes {:.6g} ms and carries {:.6g} bytes per second (medians of {} links)\n"
      "{} has the sections network and compute of a scenario. To simulate with them:\n"
      "  lagnet run SCENARIO --set @{}\n",
      network["latency_ms"].get<double>(), network["bandwidth_bytes_per_s"].get<double>(), network["links"].size(),
      out.path, out.path);
}

void collect_measured(const CalibrateRequest& request, const Console& console) {
  const std::vector<std::filesystem::path> records(request.records.begin(), request.records.end());
  const Json sections = with_input_errors([&] { return collect_calibrations(request.plan, records); });
  tell_calibration(sections, or_default(request.out, "calibrated.json"), console);
}

void measure_locally(const CalibrateRequest& request, const Console& console) {
  const OutputFile out = or_default(request.out, "calibrated.json");
  LocalRunOptions options{.processes = request.processes};
  options.patience = milliseconds(request.patience_s);
  options.warn = warner(console);
  const Json sections = with_input_errors([&] {
    check_output(out, "");  // before it takes time to measure
    return calibrate_locally(read_scenario_file(request.plan), options);
  });
  tell_calibration(sections, {out.path, true}, console);
}

}  // namespace

void add_calibrate(CLI::App& app, Console& console) {
  auto request = std::make_shared<CalibrateRequest>();
  auto* calibrate =
      app.add_subcommand("calibrate", "Measure the network and the computers of a plan, to simulate them");
  calibrate->add_option("PLAN", request->plan, "file of `deploy plan`; with --local a scenario file")->required();
  calibrate
      ->add_option("--id", request->agent,
                   "measure as the process of this agent, while all other processes do the same")
      ->option_text("AGENT");
  calibrate
      ->add_option("--collect", request->records,
                   "write the sections network and compute from the measurements of all processes")
      ->option_text("RECORD ..");
  auto* local =
      calibrate->add_flag("--local", request->is_local,
                          "measure the processes of `deploy local` for this scenario, and write the sections");
  calibrate->add_option("-n,--processes", request->processes, "processes of --local; by default one for each agent")
      ->check(CLI::Range(1, 4096))
      ->needs(local)
      ->option_text("N");
  add_output_file(*calibrate, request->out,
                  "file to write; by default agent_AGENT.calibration with --id, otherwise calibrated.json", true);
  add_talk(*calibrate, request->talk);
  add_patience(*calibrate, request->patience_s);
  calibrate->callback([request, calibrate, &console] {
    const int ways = int{request->is_local} + int{request->agent.has_value()} + int{!request->records.empty()};
    if (ways != 1)
      throw InputError(
          "calibrate: expected exactly one of --id AGENT, --collect with the records of all processes, and --local");
    refuse_all_idle(*calibrate, {"--keys", "--insecure", "--listen"}, !request->agent, "without --id");
    refuse_idle(*calibrate, "--patience-s", !request->records.empty(), "beside --collect, which waits for nothing");
    if (console.json && request->agent)
      throw InputError(
          "calibrate: --json has no effect beside --id: --collect prints the measurements of all processes");
    if (!request->agent) check_ending("calibrate: -o", request->out.path, json_endings);
    if (request->is_local) return measure_locally(*request, console);
    if (request->agent) return measure(*request, console);
    collect_measured(*request, console);
  });
}

}  // namespace lagnet::tools
