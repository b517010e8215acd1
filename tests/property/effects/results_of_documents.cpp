#include "tests/property/effects/results_of_documents.hpp"

#include <fmt/format.h>

#include <sstream>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/compare/claim_verdict.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/report/report_model.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "scenarios/run/run.hpp"
#include "scenarios/sweep/execute.hpp"
#include "scenarios/tune/tune.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"

namespace lagnet::test {

namespace {

constexpr const char* shown_name = "s.json";

ScenarioFile file_of(const Json& document) { return {shown_name, files_of_scenarios(), document}; }

/// A mistake that only a later step finds is a refusal, too.
template <class Step>
auto or_refused(const Step& step) {
  try {
    return step();
  } catch (const OutputError& error) {
    Diagnostics problems(shown_name);
    problems.add("", error.what());
    problems.fail();
  }
}

/// Runs of two methods, two sizes of headers and two seeds.
const TemporaryFolder& presented_runs() {
  static const TemporaryFolder folder("presented");
  static const bool is_made = [] {
    execute_sweep(file_of(Json::parse(R"({"lagnet": 1,
      "data": {"source": "gaussian_regression", "samples": 40, "features": 4},
      "problem": {"regularizer": {"kind": "l2", "weight": 0.1}},
      "topology": {"kind": "ring", "agents": 4}, "algorithm": {"kind": "extra"}, "stop": {"rounds": 30},
      "sweep": {"/algorithm/kind": ["extra", "dgd"], "/network/header_bytes": [1, 5000], "/seed": [1, 2]}})")),
                  folder.path() / "r", {});
    return true;
  }();
  static_cast<void>(is_made);
  return folder;
}

/// Costs of eight agents with two variables each, and what couples them.
void write_quadratics(const std::filesystem::path& folder) {
  std::string costs, more_costs, even_costs, coupling, more_coupling, limits, more_limits;
  for (int k = 0; k < 8; ++k) {
    costs += fmt::format("{},1,{}\n1,2,-1\n", 2 + k % 3, k);
    more_costs += fmt::format("3,0,{}\n0,{},2\n", k, 1 + k % 2);
    even_costs += fmt::format("2,0,{}\n0,2,1\n", k);
    coupling += "1,0,";
    more_coupling += "1,1,";
    limits += "-1,2\n0,1\n";
    more_limits += "-2,1\n0,3\n";
  }
  write_file(folder / "costs.csv", costs);
  write_file(folder / "more_costs.csv", more_costs);
  write_file(folder / "even_costs.csv", even_costs);
  write_file(folder / "coupling.csv", coupling + "3\n");
  write_file(folder / "more_coupling.csv", more_coupling + "3\n");
  write_file(folder / "limits.csv", limits);
  write_file(folder / "more_limits.csv", more_limits);
}

}  // namespace

std::string files_of_scenarios() {
  static const TemporaryFolder folder("effects");
  static const bool is_made = [] {
    const auto write = [](const char* name, const std::string& text) { write_file(folder.path() / name, text); };
    write("edges.csv", "from,to,weight\n0,1,1\n1,2,2\n2,3,3\n3,4,1\n4,5,1\n5,6,1\n6,7,1\n7,0,1\n0,4,2\n");
    write("other.csv", "from,to,weight\n0,1,1\n1,2,1\n2,3,1\n3,4,1\n4,5,1\n5,6,1\n6,7,5\n7,0,1\n1,5,2\n");
    std::string samples, libsvm, labels, matrix = "%%MatrixMarket matrix array real general\n24 2\n";
    for (int k = 0; k < 24; ++k) {
      samples += fmt::format("{},{},{}\n", k % 7 - 3, k * k % 11 - 5, k % 3 == 0 ? 1 : 2);
      libsvm += fmt::format("{} 1:{} 3:{}\n", k % 3 == 0 ? 1 : 2, k % 7 - 3, k * k % 11 - 5);
      labels += fmt::format("{}\n", k % 3 == 0 ? 1 : 2);
    }
    std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': (24, 3), }";
    header += std::string(128 - 10 - header.size() - 1, ' ') + "\n";
    std::string array = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
    for (int k = 0; k < 72; ++k) array += static_cast<char>(k % 3 == 2 ? 1 + k % 2 : k * k % 11 - 5);
    write("samples.npy", array);
    for (int k = 0; k < 48; ++k) matrix += fmt::format("{}\n", k * k % 13 - 6);
    write("samples.csv", "a,b,label\n" + samples);
    write("plain.csv", samples);
    write("plain_edges.csv", "0,1\n1,2\n2,3\n3,4\n4,5\n5,6\n6,7\n7,0\n0,4\n");
    write("more_edges.csv", "0,1\n1,2\n2,3\n3,4\n4,5\n5,6\n6,7\n7,0\n1,5\n");
    write("samples.libsvm", libsvm);
    write("tests.csv", "a,b,label\n1,2,1\n3,1,2\n0,5,2\n");
    write("matrix.mtx", matrix);
    write("labels.txt", labels);
    write_quadratics(folder.path());
    std::string nodes, places, links, slow_links, delays = "site,a,b,c\n", ups = "agent,from_s,up\n",
                                                  speeds = "agent,from_s,speed_flops_per_s\n";
    for (int k = 0; k < 8; ++k) {
      nodes += fmt::format("<node id=\"n{}\"/>", k);
      places +=
          fmt::format("<node id=\"n{}\"><data key=\"y\">{}</data><data key=\"x\">{}</data></node>", k, 5 * k, k * k);
      links += fmt::format("<edge source=\"n{}\" target=\"n{}\"/>", k, (k + 1) % 8);
      slow_links +=
          fmt::format("<edge source=\"n{}\" target=\"n{}\"><data key=\"d\">{}</data></edge>", k, (k + 1) % 8, k + 1);
      ups += fmt::format("{0},0,1\n{0},0.{1},0\n{0},0.{2},1\n", k, k + 1, k + 2);
      speeds += fmt::format("{0},0,{1}\n{0},0.2,1e6\n", k, 100000 * (k + 1));
    }
    const std::string head = "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph edgedefault=\"";
    write("graph.graphml", head + "undirected\">" + nodes + links + "</graph></graphml>");
    const std::string keys =
        "<graphml><key attr.name=\"Latitude\" attr.type=\"double\" for=\"node\" id=\"y\"/><key attr.name=\"Longitude\" "
        "attr.type=\"double\" for=\"node\" id=\"x\"/><key attr.name=\"delay_ms\" attr.type=\"double\" for=\"edge\" "
        "id=\"d\"/><graph edgedefault=\"undirected\">";
    write("nodes.graphml", keys + places + slow_links + "</graph></graphml>");
    write("more_nodes.graphml", keys + places + links + "</graph></graphml>");
    for (const char* site : {"a", "b", "c"}) delays += fmt::format("{},{}\n", site, *site == 'a' ? "0,5,9" : "4,0,7");
    write("delays.csv", delays);
    write("ups.csv", ups);
    write("speeds.csv", speeds);
    write("rates.csv", "t,rate,delay\n0,10000,3\n0.01,20000,5\n0.02,5000,9\n");
    write("more_rates.csv", "t,rate,delay\n0,9000,2\n0.01,20000,5\n");
    write("packets.txt", "1\n1\n3\n4\n4\n4\n7\n");
    return true;
  }();
  static_cast<void>(is_made);
  return folder.path().string();
}

Json with_defaults(const Json& document) {
  return write_scenario(read_scenario(file_of(document)), files_of_scenarios());
}

std::string result_of_run(const Json& document) {
  static ExperimentCache cache;
  cache.keep_at_most(Bytes{1} << 24);
  const std::vector<SweepPoint> points = sweep_points(file_of(document));
  const Scenario scenario = read_scenario(points.front().file);
  const Experiment experiment = or_refused([&] { return assemble(scenario, shown_name, cache); });
  std::ostringstream trace, timeline;
  const Outcome outcome = run(experiment, {.trace = scenario.record.trace ? &trace : nullptr,
                                           .timeline = scenario.record.timeline ? &timeline : nullptr});
  auto written = written_files(experiment, outcome);
  written.erase("scenario.json");
  Json summary = Json::parse(written.at("summary.json"));
  for (const char* echo : {"name", "scenario_crc32"}) summary.erase(echo);
  written["summary.json"] = summary.dump();
  std::string all = fmt::format("{} points\n", points.size());
  for (const auto& [name, text] : written) all += name + "\n" + text;
  return all + trace.str() + timeline.str();
}

std::string result_of_search(const Json& document) {
  const TemporaryFolder folder("search");
  return or_refused([&] {
    const Json facts = execute_tune(file_of(document), folder.path() / "t", {});
    return facts.dump() + read_file(folder.path() / "t" / "candidates.csv");
  });
}

std::string result_of_presentation(const Json& document) {
  const std::filesystem::path folder = presented_runs().path() / "r";
  const ScenarioFile file = file_of(document);
  const PresentationOptions presentation = read_presentation(file);
  return or_refused([&] {
    write_file(folder / "scenario.json", document.dump());
    Json table = Json::parse(read_file(folder / "sweep.json"));
    table["scenario_crc32"] = checksum(document.dump());
    write_file(folder / "sweep.json", table.dump());
    const RecordedRuns recorded = read_recorded_runs({folder});
    std::string all = at_full_size(file).document.dump();
    for (const Verdict& verdict : verdicts(presentation.expect, recorded.runs)) {
      const ClaimCommon& claim = verdict.claim;
      all += fmt::format("{}|{}|{}|{}|{}|{}|{}|{}", claim.statement, claim.source, claim.paper, claim.place,
                         claim.weaker, claim.known_to_fail, verdict.measured(), verdict.word());
      for (const auto& [seeds, finding] : verdict.draws)
        all += fmt::format("|{}|{}|{}|{}", seeds.size(), finding.holds, finding.tolerance, finding.deciding);
    }
    Json model = report_model(recorded, {});
    for (const char* echo : {"expect", "claims", "scenario", "scenarios"}) model.erase(echo);
    return all + model.dump(-1, ' ', false, Json::error_handler_t::replace);
  });
}

}  // namespace lagnet::test
