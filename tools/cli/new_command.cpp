#include "tools/cli/commands.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>
#include <memory>

#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
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

/// What `new` is asked for.
struct NewRequest {
  std::string file;  // to write
  ScenarioFlags flags;
  std::string topology, algorithm;  // kinds, the algorithm with its options
  bool asks = true;                 // for what is missing, on a terminal
};

void ask_for_data(ScenarioFlags& flags) {
  const std::string file =
      asked_until("file with samples (.csv, .libsvm, .mtx, .npy)", "made up", [&](const std::string& answer) {
        if (answer == "made up") return;
        // The last column of a CSV file need not be its label, which may be one of several that hold texts.
        const Json section = typed_data(answer, flags.label);
        if (section["source"] != "csv" || !flags.label.empty())
          choose_data({.data = answer, .label = flags.label}, ".");
        if (!fs::exists(answer)) refuse_flag("--data", "a file", answer);
      });
  if (file == "made up") return;
  flags.data = file;
  if (typed_data(file, "")["source"] == "csv" && flags.label.empty()) flags.label = asked_label(file);
}

/// Asks for what the flags do not say.
void ask_for_the_rest(NewRequest& request) {
  ScenarioFlags& flags = request.flags;
  if (flags.data.empty())
    ask_for_data(flags);
  else
    ask_for_label(flags);
  if (request.algorithm.empty())
    request.algorithm =
        asked_until("algorithm, as extra, gradient_tracking, fed_avg or scaffold (`lagnet list algorithms`)", "extra",
                    [](const std::string& answer) { has_server(algorithm_of(answer)["kind"]); });
  if (!has_server(algorithm_of(request.algorithm)["kind"]) && request.topology.empty())
    request.topology =
        asked_until("topology, as ring, lattice, random_geometric or complete (`lagnet list topologies`)", "ring",
                    [](const std::string& answer) { topology_section(answer, 9); });
  if (!flags.agents && flags.sites.empty()) {
    std::int64_t count = 0;
    asked_until("agents that hold data", "9", [&count](const std::string& answer) {
      const auto [end, error] = std::from_chars(answer.data(), answer.data() + answer.size(), count);
      if (error != std::errc() || end != answer.data() + answer.size() || count < 1)
        refuse_flag("--agents", "a number at least 1", answer);
    });
    flags.agents = count;
  }
  if (flags.latency.empty() && flags.profile.empty())
    flags.latency = asked_until("latency of a link", "10ms",
                                [](const std::string& answer) { number_or_range("--latency", "latency_ms", answer); });
}

std::string scenario_text(const NewRequest& request, const fs::path& folder) {
  const ScenarioFlags& flags = request.flags;
  const ChosenData data = choose_data(flags, folder);
  const Json algorithm = algorithm_of(request.algorithm.empty() ? "extra" : request.algorithm);
  const bool server = has_server(algorithm["kind"]);
  const std::int64_t holders = data_holders(flags, 9);
  const std::string kind = request.topology.empty() ? server ? "star" : "ring" : request.topology;
  const std::string what = server ? fmt::format("agent 0 is the server, the other {} hold the samples", holders)
                                  : fmt::format("{} agents hold the samples", holders);
  Json network = network_section(flags, 10, folder);
  if (const Json site = server_site(flags); server && !site.is_null()) network["server_site"] = site;
  return fmt::format(
      R"({{
  // `lagnet describe NAME` explains each section and kind, `lagnet list` has all kinds.
  "lagnet": 1,
  "name": {name},
  "seed": 1,
  // {samples} samples with {features} features; {remark}.
  "data": {data},
  // The mean loss over all samples, and a regularizer that gives it one minimizer.
  "problem": {{"loss": {{"kind": "{loss}"}}, "regularizer": {{"kind": "l2", "weight": {l2}}}}},
  // {what}.
  "topology": {topology},
  // Times are in ms and s, rates in bytes per second.
  "network": {network},
  "compute": {{"speed_flops_per_s": 1e9}},
  // A step size that is not given is that of the method's theory.
  "algorithm": {algorithm},
  // Whatever comes first ends the run.
  "stop": {{"rounds": 20000, "relative_error": {to}}},
  "record": {{"every": 1}}
  // To compare, run all combinations of some values: , "sweep": {{"/network/latency_ms": [1, 10, 100]}}
}}
)",
      fmt::arg("name", Json(fs::path(request.file).stem().string()).dump()), fmt::arg("samples", data.samples),
      fmt::arg("features", data.features), fmt::arg("remark", data.remark), fmt::arg("data", on_one_line(data.section)),
      fmt::arg("loss", data.loss), fmt::arg("l2", flags.l2.value_or(0.01)), fmt::arg("what", what),
      fmt::arg("topology", on_one_line(topology_section(kind, server ? holders + 1 : holders))),
      fmt::arg("network", on_one_line(network)), fmt::arg("algorithm", on_one_line(algorithm)),
      fmt::arg("to", flags.to.value_or(1e-4)));
}

/// Writes a scenario with comments that runs as it is. If it throws, nothing is written.
int new_command(NewRequest request, const Console& console) {
  refuse_existing(request.file, "new");
  const bool is_asked = request.asks && can_ask() && !console.quiet;
  if (is_asked) ask_for_the_rest(request);
  write_checked_scenario(request.file, scenario_text(request, fs::absolute(request.file).parent_path()));
  if (console.json)
    print_text(indented(Json{{"scenario", request.file}}));
  else if (!console.quiet)
    print_sentences(fmt::format("{1}{0}: written; next: lagnet run {0}", request.file,
                                remarks_text(choose_data(request.flags, "."))));
  return 0;
}

}  // namespace

void add_new(CLI::App& app, Console& console) {
  auto given = std::make_shared<NewRequest>();
  auto* command = app.add_subcommand("new",
                                     "Write a scenario with comments that is ready to run: flags describe it, and in a "
                                     "terminal lagnet asks for the rest");
  command->add_option("FILE", given->file, "file to write (JSON)")->required()->check(refuse_empty);
  add_scenario_flags(*command, given->flags);
  command
      ->add_option("--algorithm", given->algorithm, "algorithm and its options, as in extra step=0.5; by default extra")
      ->check(suggests("algorithms"))
      ->option_text("NAME [KEY=VALUE]...");
  command
      ->add_option("--topology", given->topology, "topology; by default ring, or star for an algorithm with a server")
      ->check(suggests("topologies"))
      ->option_text("NAME");
  command->add_flag_callback(
      "--no-questions", [given] { given->asks = false; }, "ask no questions, use the defaults");
  command->callback([given, command, &console] {
    check_ending("new", given->file, json_endings);
    const bool may_ask = given->asks && !console.quiet && is_terminal(STDIN_FILENO);
    refuse_idle(*command, "--label", given->flags.data.empty() && !may_ask, "without --data");
    refuse_idle(*command, "--no-questions", console.quiet, "beside --quiet, which asks no questions either");
    console.exit_status = new_command(*given, console);
  });
}

}  // namespace lagnet::tools
