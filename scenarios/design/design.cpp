#include "scenarios/design/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenarios/assembly/make_network.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/json/json_file.hpp"
#include "topologies/generators/elementary.hpp"
#include "topologies/gossip.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet {

namespace {

constexpr std::int64_t largest_design = 1000;  // a design looks at every two of them
constexpr double no_distance = 1e-12;          // what rounding leaves of rho where one exchange makes all agents agree

/// The scenario without what is said of other points than those to come.
ScenarioFile without_points(ScenarioFile file) {
  Json& document = file.document;
  const Json sweep = document.value("sweep", Json::object());
  if (sweep.is_object())
    for (const auto& [key, values] : sweep.items())
      if (key != "/seed")
        throw DesignError(fmt::format(
            "{}: /sweep: expected no swept key other than /seed, found {}; --set 'sweep={{}}' leaves it out",
            file.shown, key));
  for (const char* key : {"expect", "figure", "maps", "full", "tune"}) document.erase(key);
  return file;
}

/// The file with the settings of a candidate, for a run that is timing only.
ScenarioFile timing_file(const ScenarioFile& file, const Json& settings) {
  ScenarioFile timing = file;
  const Json seeds = file.document.value("sweep", Json::object()).value("/seed", Json::array());
  for (const char* key : {"sweep", "record"}) timing.document.erase(key);
  timing.document["numerics"] = "off";
  timing.document["stop"] = {{"rounds", 1}};
  if (seeds.is_array() && !seeds.empty()) timing.document["seed"] = seeds[0];
  Diagnostics diagnostics(file.shown);
  for (const auto& [pointer, value] : settings.items())
    set_member(timing.document, pointer, value, pointer, diagnostics);
  diagnostics.throw_if_any();
  return timing;
}

class Designer {
 public:
  explicit Designer(const ScenarioFile& file) : file_(file) {}

  DesignedPoint measured(Candidate candidate) {
    const Scenario scenario = read_scenario(timing_file(file_, candidate.settings));
    const Topology topology = make_topology(scenario, file_.shown);
    SteadyRounds rounds = steady_rounds(scenario, file_.shown, cache_);
    DesignedPoint point{.candidate = std::move(candidate),
                        .links = std::ssize(topology.edges()),
                        .largest_degree = topology.max_degree(),
                        .cycle_s = rounds.cycle_s,
                        .period = rounds.period};
    last_ = std::move(rounds.agents);
    if (scenario.algorithm.make().traits.server) return point;
    point.predicted = predicted_cycle_s({.cycle_s = 0, .agents = last_, .network = std::move(rounds.network)},
                                        scenario.network.sharing);
    const double rho = gossip_spectrum(gossip_matrix(topology)).rho;
    point.spectral_gap = 1 - rho;
    point.mixing_s = rho > no_distance ? point.cycle_s / -std::log(rho) : 0;
    return point;
  }
  /// What agents do in a round of the topology that was measured last.
  const std::vector<AgentRound>& agents() const { return last_; }

 private:
  const ScenarioFile& file_;
  ExperimentCache cache_;  // all have the same data
  std::vector<AgentRound> last_;
};

/// The delay between any two agents that do this in a round.
Delays delays_of(const Scenario& scenario, const std::string& shown, const std::vector<AgentRound>& agents) {
  CompleteOptions options;
  options.agents = std::ssize(agents);
  const Network complete = make_network(make_topology(options, 1), scenario.network, scenario.seed, shown);
  return Delays(pair_delays(agents, complete));
}

/// Proposed are graphs whose links go both ways.
void check_directions(const Topology& topology, const ScenarioFile& file) {
  if (topology.is_directed())
    throw DesignError(fmt::format(
        "{}: /topology: expected links that go both ways, as all proposed topologies have, found a directed one",
        file.shown));
}

/// Peers may use any graph.
void check_peers(const Scenario& scenario, const ScenarioFile& file, std::int64_t agents) {
  if (scenario.topology.make().sequence)
    throw DesignError(fmt::format(
        "{}: /topology/kind: expected a single graph, since a design needs rounds that are alike", file.shown));
  if (scenario.topology.common().changes)
    throw DesignError(
        fmt::format("{}: /topology/changes: expected null, since a design needs rounds that are alike", file.shown));
  if (agents < 3 || agents > largest_design)
    throw DesignError(
        fmt::format("{}: /topology: expected 3 to {} agents, found {}", file.shown, largest_design, agents));
}

}  // namespace

TopologyDesign design(const ScenarioFile& file, std::optional<std::int64_t> degree,
                      const std::function<void(const std::string& what)>& step) {
  TopologyDesign made{.file = without_points(file)};
  read_scenario(made.file);  // what a run without numbers does not look at may be wrong, too
  const Scenario scenario = read_scenario(timing_file(made.file, Json::object()));
  made.has_server = scenario.algorithm.make().traits.server;
  Designer designer(made.file);
  const Topology topology = make_topology(scenario, file.shown);
  check_directions(topology, file);
  make_network(topology, scenario.network, scenario.seed, file.shown, &made.warnings);  // throws for what is wrong
  for (const Remark& remark : topology.notes().remarks) made.warnings.push_back(remark);
  if (!made.has_server && !topology.notes().links.empty())
    made.warnings.push_back(
        {"links_of_own_edges",
         {},
         "latencies and bandwidths of the topology's file hold for its own edges: links that it lacks take those of "
         "network, or, with --underlay, those of the routes over it"});
  const std::int64_t agents = topology.agents();
  std::vector<Candidate> candidates;
  if (made.has_server) {
    candidates = places_of_server(scenario, made.file, agents);
    const NetworkOptions& network = scenario.network;
    if (!network.server_site && (network.up_bytes_per_s || network.down_bytes_per_s || !network.interfaces.empty()))
      made.warnings.push_back(
          {"server_keeps_interface",
           {},
           "only latencies are those of each place: agent 0 keeps its interface; network.sites with server_site give "
           "each place its own"});
  } else {
    check_peers(scenario, file, agents);
    if (degree && *degree >= agents)
      throw DesignError(fmt::format("--degree: expected less than the {} agents, found {}", agents, *degree));
    const Json& document = made.file.document;
    Candidate own{.label = fmt::format("as it is: {}", scenario.topology.kind()),
                  .settings = {{"/topology", document["topology"]}}};
    const Json network = document.value("network", Json::object());
    if (network.contains("links")) own.settings["/network/links"] = network["links"];
    if (step) step(own.label);
    made.points.push_back(designer.measured(std::move(own)));
    candidates = proposed_topologies(delays_of(scenario, file.shown, designer.agents()), degree, scenario.seed,
                                     document, names_of_agents(scenario, agents, topology.notes()), topology.notes());
  }
  std::size_t place = 0;
  for (Candidate& candidate : candidates) {
    if (step) step(fmt::format("{}, {} of {}", candidate.label, ++place, candidates.size()));
    made.points.push_back(designer.measured(std::move(candidate)));
  }
  std::ranges::stable_sort(made.points, {}, &DesignedPoint::cycle_s);
  return made;
}

}  // namespace lagnet
