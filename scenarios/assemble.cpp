#include "scenarios/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "algorithms/central/spectral_norm.hpp"

namespace lagnet {

namespace {

std::string data_key(const Scenario& scenario) {
  return fmt::format("{} {}", scenario.seed, scenario.data.write().dump());
}

/// Adds a problem that comes as a sentence, "place: expected this, found that" or one in words of its own; `wanted`
/// says then what was expected.
void add_sentence(Problems& problems, const std::string& pointer, const std::string& sentence,
                  std::string_view wanted) {
  constexpr std::string_view expected_mark = ": expected ", found_mark = ", found ";
  const auto expected = sentence.find(expected_mark), found = sentence.rfind(found_mark);
  if (expected == std::string::npos || found == std::string::npos || found < expected)
    return problems.add(pointer, std::string(wanted), sentence);
  const auto start = expected + expected_mark.size();
  problems.add(fmt::format("{}: {}", pointer, sentence.substr(0, expected)), sentence.substr(start, found - start),
               sentence.substr(found + found_mark.size()));
}

/// Runs a step of the assembly and turns what it throws into problems.
template <class Step>
void attempt(Problems& problems, const std::string& pointer, const Step& step) {
  try {
    step();
  } catch (const DataError& error) {
    for (const std::string& text : error.problems) add_sentence(problems, pointer, text, "data that can be used");
  } catch (const TopologyError& error) {
    for (const std::string& text : error.problems())
      add_sentence(problems, pointer, text, "a topology that can be made");
  } catch (const OptionError& error) {
    problems.add(child_pointer(pointer, error.key), error.expected, error.found);
  }
}

ComputeModel make_compute(AgentId agents, const Scenario& scenario) {
  std::vector<double> speed;
  for (AgentId a = 0; a < agents; ++a)
    speed.push_back(scenario.compute.speed_flops_per_s.make(Draws(scenario.seed, Purpose{"speed"}, a)));
  return ComputeModel(std::move(speed));
}

/// Simulated time ends after 292 years, so what takes forever cannot be simulated. The extreme number that a
/// distribution may give decides, under the key `extreme` or, for a constant, under "value".
void check_numbers(const Choice<DistributionTag>& numbers, const char* extreme, const Limits& limits,
                   const std::string& pointer, Problems& problems) {
  const Json written = numbers.write();
  const Json& number = written.contains(extreme) ? written[extreme] : written["value"];
  if (!limits.contains(number.get<double>())) problems.add(pointer, "numbers " + limits_words(limits), shown(number));
}

void make_problem(Assembly& made, const Topology* topology, Problems& problems) {
  const Scenario& scenario = made.scenario;
  made.problem.X = std::shared_ptr<const DataMatrix>(made.data, &made.data->X);
  made.problem.y = made.data->y;
  made.problem.samples = made.data->samples;
  made.problem.loss = scenario.problem.loss.make();
  made.problem.regularizer = scenario.problem.regularizer.make();
  for (const std::string& text : made.problem.problems())
    add_sentence(problems, "/data", text, "data that can be used");
  if (made.data->samples > made.data->X.rows() && made.problem.loss->kind() != "squared")
    problems.add("/problem/loss", "squared, the only loss that reduced data stand for",
                 std::string(made.problem.loss->kind()));
  if (!topology) return;
  attempt(problems, "/partition", [&] {
    made.partition = scenario.partition.make(made.data->X.cols(), Index{topology->agents()}, scenario.seed);
    if (!made.partition.order.empty())
      made.problem.X = std::make_shared<const DataMatrix>(ordered_columns(made.data->X, made.partition));
  });
}

void set_participation(Assembly& made, Problems& problems) {
  const ParticipationOptions& options = made.scenario.participation;
  const auto agents = static_cast<AgentId>(made.topology->agents());
  made.clients = make_participation(options, agents, made.scenario.seed, problems);
  made.round_rule = make_round_rule(options);
  made.missing_neighbor = options.missing_neighbor.make();
  attempt(problems, "/participation/availability",
          [&] { made.availability = make_availability(options, agents, made.scenario.seed, problems); });
}

}  // namespace

std::shared_ptr<const DataSet> AssemblyCache::data(const Scenario& scenario) {
  auto& found = data_[data_key(scenario)];
  if (!found) {
    DataSet made =
        preprocess(scenario.data.make(std::filesystem::path(), scenario.seed), scenario.data.common(), scenario.seed);
    // Where the file stands on this machine is no part of a result.
    const std::string path = scenario.data.write().value("path", "");
    if (!path.empty() && made.origin.starts_with(path))
      made.origin.replace(0, path.size(), std::filesystem::path(path).filename().string());
    found = std::make_shared<const DataSet>(std::move(made));
  }
  return found;
}

double AssemblyCache::data_norm(const Scenario& scenario, const DataMatrix& X) {
  const auto [place, is_new] = norms_.try_emplace(data_key(scenario), 0);
  if (is_new) place->second = spectral_norm(X);
  return place->second;
}

std::shared_ptr<const Optimum> AssemblyCache::optimum(const Scenario& scenario, const Problem& problem) {
  auto& found = optima_[data_key(scenario) + write_fields(scenario.problem).dump()];
  if (!found) found = std::make_shared<const Optimum>(solve_centrally(problem));
  return found;
}

NetworkFacts network_facts(const Topology& topology) {
  const Spectrum eigenvalues = spectrum(topology);
  NetworkFacts facts{.agents = topology.agents(),
                     .max_degree = topology.max_degree(),
                     .laplacian_max = eigenvalues.laplacian_max,
                     .algebraic_connectivity = eigenvalues.algebraic_connectivity,
                     .link_weights = {}};
  const auto plain = [](const Edge& edge) { return edge.weight == 1; };
  if (!std::ranges::all_of(topology.edges(), plain))
    for (AgentId a = 0; a < topology.agents(); ++a) {
      const auto weights = topology.neighbor_weights(a);
      facts.link_weights.emplace_back(weights.begin(), weights.end());
    }
  return facts;
}

Network make_network(const Topology& topology, const Scenario& scenario) {
  constexpr Purpose latency{"latency"}, bandwidth{"bandwidth"};
  std::vector<LinkSpec> links;
  const auto add = [&](AgentId from, AgentId to) {
    // The receiver stands where a round would: what a link is does not change with time.
    const double ms = scenario.network.latency_ms.make(Draws(scenario.seed, latency, from, to));
    const double rate = scenario.network.bandwidth_bytes_per_s.make(Draws(scenario.seed, bandwidth, from, to));
    links.push_back({from, to, Duration::milliseconds(ms), rate});
  };
  for (const Edge& edge : topology.edges()) {
    add(edge.from, edge.to);
    add(edge.to, edge.from);
  }
  return Network(static_cast<AgentId>(topology.agents()), std::move(links));
}

Topology make_topology(const Scenario& scenario, const std::string& shown) {
  Problems problems(shown);
  std::optional<Topology> made;
  attempt(problems, "/topology", [&] {
    made = scenario.topology.make(scenario.seed);
    if (!made->connected())
      problems.add("/topology", "a connected graph", fmt::format("{} components", made->components()));
  });
  problems.throw_if_any();
  return std::move(*made);
}

Assembly assemble(const Scenario& scenario, const std::string& shown, AssemblyCache& cache) {
  Problems problems(shown);
  Assembly made;
  made.scenario = scenario;
  constexpr double longest_ms = 1e9;  // eleven days
  check_numbers(scenario.network.latency_ms, "high", within(0, longest_ms), "/network/latency_ms", problems);
  check_numbers(scenario.network.bandwidth_bytes_per_s, "low", at_least(1), "/network/bandwidth_bytes_per_s", problems);
  check_numbers(scenario.compute.speed_flops_per_s, "low", at_least(1), "/compute/speed_flops_per_s", problems);
  try {
    made.topology = std::make_unique<Topology>(make_topology(scenario, shown));
  } catch (const ScenarioError& error) {
    for (const ScenarioProblem& problem : error.problems.list())
      problems.add(problem.pointer, problem.expected, problem.found);
  }
  attempt(problems, "/data", [&] {
    made.data = cache.data(scenario);
    make_problem(made, made.topology.get(), problems);
  });
  if (made.topology) set_participation(made, problems);
  problems.throw_if_any();

  made.facts = network_facts(*made.topology);
  // Optimum and norm do not depend on the order of the columns; they are computed, and cached, in the data's own.
  Problem central = made.problem;
  central.X = std::shared_ptr<const DataMatrix>(made.data, &made.data->X);
  const auto optimum = [&cache, &made, central]() -> const Optimum& {
    if (!made.optimum) made.optimum = cache.optimum(made.scenario, central);
    return *made.optimum;
  };
  if (scenario.record.optimum) optimum();
  Assignment assignment{
      .problem = made.problem,
      .feature_starts = made.partition.starts,
      .network = made.facts,
      .central = {.data_norm = [&] { return cache.data_norm(scenario, made.data->X); }, .optimum = optimum},
      .rounds = scenario.stop.rounds.value_or(std::numeric_limits<Round>::max())};
  attempt(problems, "/algorithm", [&] { made.algorithm = scenario.algorithm.make(std::move(assignment)); });
  problems.throw_if_any();
  made.warnings = made.algorithm->warnings();
  if (!scenario.record.optimum) made.optimum = nullptr;
  return made;
}

std::unique_ptr<Simulation> Assembly::simulation(unsigned threads) const {
  SimulationOptions options{.seed = scenario.seed, .threads = threads};
  if (scenario.stop.simulated_s) options.end = Time() + Duration::seconds(*scenario.stop.simulated_s);
  options.wire = {.bytes_per_scalar = scenario.network.bytes_per_scalar,
                  .header_bytes = scenario.network.header_bytes,
                  .rows_held = data->X.rows(),
                  .rows_billed = data->samples};
  auto world = std::make_unique<Simulation>(make_network(*topology, scenario),
                                            make_compute(static_cast<AgentId>(topology->agents()), scenario),
                                            std::move(options));
  algorithm->spawn(*world);
  return world;
}

}  // namespace lagnet
