#include "tools/cli/commands.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "scenarios/design/design.hpp"
#include "scenarios/design/underlay.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/words/layout.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/console/heartbeat.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"
#include "tools/flags/scenario_flags.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

/// What `design` is asked.
struct DesignRequest {
  std::string scenario;
  std::vector<std::string> settings;   // values to change before
  std::string out;                     // scenario to write; by default design-<name of the file>.json
  std::string underlay;                // GraphML file whose shortest ways are the latencies; "": those of the scenario
  std::string latency_from = "edges";  // of the underlay: edges, or distance
  std::optional<std::int64_t> degree;  // most neighbors in trees, and degree of the control
};

/// A file that goes again unless it is kept.
class ProvisionalFile {
 public:
  ProvisionalFile() = default;
  ProvisionalFile(fs::path path, const std::string& text) : path_(std::move(path)) { replace_file(path_, text); }
  ProvisionalFile(const ProvisionalFile&) = delete;
  ProvisionalFile& operator=(const ProvisionalFile&) = delete;
  ~ProvisionalFile() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }
  void keep() { path_.clear(); }

 private:
  fs::path path_;
};

/// Throws Diagnosed if a file is there that says something else.
void refuse_other_content(const fs::path& path, const std::string& text) {
  if (!fs::is_regular_file(path) || read_file(path) != text) refuse_existing(path, "design");
}

RoutedLatencies routes_of(const DesignRequest& request) {
  Diagnostics problems("design");
  RoutedLatencies routed;
  const LatencyFrom from = request.latency_from == "distance" ? LatencyFrom::distance : LatencyFrom::edges;
  collect_diagnostics(problems, "--underlay", [&] { routed = routed_latencies(request.underlay, from); });
  problems.throw_if_any();
  return routed;
}

/// The scenario with a sweep over the points, each on a line of its own.
std::string scenario_text(const TopologyDesign& design, const fs::path& folder) {
  ScenarioFile file = design.file;
  const Json seeds = file.document.value("sweep", Json::object()).value("/seed", Json());
  Json points = Json::array();
  for (const DesignedPoint& point : design.points) {
    points.push_back({{"label", point.candidate.label}});
    points.back().update(point.candidate.settings);
  }
  file.document["sweep"] = {{"points", points}};
  const Json document = relocated(file, folder);
  std::string text = fmt::format("{{\n  // Written by `lagnet design`: {}, from the shortest round to the longest.\n",
                                 design.has_server ? "places of the server" : "topologies");
  for (const auto& [key, value] : document.items())
    if (key != "sweep") text += fmt::format("  {}: {},\n", Json(key).dump(), on_one_line(value));
  text += "  \"sweep\": {\n    \"points\": [\n";
  std::string lines;
  for (const Json& point : document["sweep"]["points"])
    lines += fmt::format("{}      {}", lines.empty() ? "" : ",\n", on_one_line(point));
  text += lines + "\n    ]";
  if (!seeds.is_null()) text += fmt::format(",\n    \"/seed\": {}", on_one_line(seeds));
  return text + "\n  }\n}\n";
}

Json as_json(const TopologyDesign& design, const std::string& scenario) {
  Json points = Json::array();
  for (const DesignedPoint& point : design.points) {
    const auto& predicted = point.predicted;
    points.push_back({{"label", point.candidate.label},
                      {"settings", point.candidate.settings},
                      {"links", point.links},
                      {"largest_degree", point.largest_degree},
                      {"cycle_s", point.cycle_s},
                      {"period_rounds", point.period},
                      {"predicted_cycle_s", predicted ? Json(predicted->seconds) : Json()},
                      {"prediction_exact", predicted ? Json(predicted->is_exact) : Json()},
                      {"metropolis_spectral_gap", number_or_null(point.spectral_gap)},
                      {"mixing_s", number_or_null(point.mixing_s)}});
  }
  return {{"scenario", scenario}, {"points", std::move(points)}};
}

/// Four digits; "~" before a number that is not exact, "*" before the least of its column.
std::string number_text(std::optional<double> number, bool is_exact = true, std::optional<double> least = {}) {
  if (!number) return "-";
  return fmt::format("{}{}{:.4g}", number == least ? "*" : "", is_exact ? "" : "~", *number);
}

void tell(const TopologyDesign& design) {
  const double least_cycle = design.points.front().cycle_s;
  std::optional<double> least_mixing;
  for (const DesignedPoint& point : design.points)
    if (point.mixing_s) least_mixing = std::min(least_mixing.value_or(*point.mixing_s), *point.mixing_s);
  std::vector<std::vector<std::string>> rows{{"", "links", "degree", "round (s)", "by delays", "gap", "agree (s)"}};
  bool are_means = false, are_estimates = false;
  for (const DesignedPoint& point : design.points) {
    const auto& predicted = point.predicted;
    are_means = are_means || point.period == 0;
    are_estimates = are_estimates || (predicted && !predicted->is_exact);
    rows.push_back({point.candidate.label, std::to_string(point.links), std::to_string(point.largest_degree),
                    number_text(point.cycle_s, point.period > 0, least_cycle),
                    predicted ? number_text(predicted->seconds, predicted->is_exact) : "-",
                    point.spectral_gap ? fmt::format("{:.3g}", *point.spectral_gap) : "-",
                    number_text(point.mixing_s, point.period > 0, least_mixing)});
  }
  print_text(laid_out(rows, {true}, is_terminal(STDOUT_FILENO) ? terminal_columns(STDOUT_FILENO) : any_columns));
  if (are_means) print_out("~ of a round: the mean of thousands, which do not repeat\n");
  if (are_estimates) print_out("~ by delays: an estimate, since links share interfaces or routes\n");
}

/// Proposes topologies, prints how long a round takes on each, and writes a scenario with a sweep over them. If it
/// throws, nothing is written.
int design_command(const DesignRequest& request, const Console& console) {
  const fs::path out = request.out.empty() ? fs::path("design-" + fs::path(request.scenario).filename().string())
                                           : fs::path(request.out);
  std::vector<std::string> settings = request.settings;
  std::unique_ptr<ProvisionalFile> routes;
  Remarks warnings;
  if (request.underlay.empty() && request.latency_from != "edges")
    throw InputError("design: --latency-from: expected --underlay beside it, found none");
  if (!request.underlay.empty()) {
    fs::path table = out;
    table.replace_extension(".latency_ms.csv");
    const RoutedLatencies routed = routes_of(request);
    const std::string& text = routed.table;
    warnings = routed.warnings;
    refuse_other_content(table, text);
    if (!fs::exists(table)) routes = std::make_unique<ProvisionalFile>(table, text);
    settings.push_back("/network/latency_ms=" +
                       Json{{"kind", "matrix"}, {"path", fs::absolute(table).string()}}.dump());
  }
  try {
    if (!request.out.empty()) check_ending("design: -o", request.out, json_endings);
    Heartbeat heartbeat("design", console.quiet, [](const std::string& line) { print_err("{}\n", line); });
    const TopologyDesign made = design(read_scenario_file(request.scenario, settings), request.degree,
                                       [&](const std::string& what) { heartbeat.step(what); });
    if (made.has_server && request.degree)
      throw InputError(
          "design: --degree has no effect on a method with a server, since only the server's place is chosen");
    warnings.insert(warnings.end(), made.warnings.begin(), made.warnings.end());
    const std::string text = scenario_text(made, fs::absolute(out).parent_path());
    refuse_other_content(out, text);
    write_checked_scenario(out, text);
    if (routes) routes->keep();
    if (!console.quiet)
      for (const Remark& warning : warnings) print_wrapped("design: " + warning.text);
    if (console.json) print_text(indented(as_json(made, out.string())));
    if (console.json || console.quiet) return 0;
    tell(made);
    print_out("{0}: written; next: lagnet run {0}\n", out.string());
  } catch (const DesignError& error) {
    throw InputError(error.what());
  }
  return 0;
}

}  // namespace

void add_design(CLI::App& app, Console& console) {
  auto given = std::make_shared<DesignRequest>();
  auto* command = app.add_subcommand(
      "design",
      "Propose topologies for the latencies of a scenario: print the time of a round on a minimum spanning tree, a "
      "short ring, trees of bounded degree, the best star and a random graph, and write a sweep over them");
  command->add_option("SCENARIO", given->scenario, "scenario file")->required();
  add_settings(*command, given->settings, "change a value first (repeatable), as in network.sharing=none");
  command->add_option("-o,--out", given->out, "scenario to write; by default design-<name of the file>, here")
      ->check(refuse_empty)
      ->option_text("FILE");
  command
      ->add_option("--degree", given->degree,
                   "largest number of neighbors in a tree, and the number in the random graph; by default trees of "
                   "degree 2, 3 and 4, and a graph of degree 3")
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{1000}))
      ->option_text("D");
  command
      ->add_option(
          "--underlay", given->underlay,
          "GraphML file of routers, whose edges have latencies (latency_ms, or weight in ms): agents are at its nodes, "
          "messages take shortest paths, and a table of these latencies is written beside the scenario")
      ->check(refuse_empty)
      ->option_text("FILE");
  command
      ->add_option("--latency-from", given->latency_from,
                   "source of the underlay's latencies: edges, or distance (Latitude and Longitude of the nodes, 1.5 "
                   "times the great circle at 200 km/ms)")
      ->check(CLI::IsMember({"edges", "distance"}))
      ->option_text("edges|distance");
  add_memory_budget(*command);
  command->callback([given, &console] { console.exit_status = design_command(*given, console); });
}

}  // namespace lagnet::tools
