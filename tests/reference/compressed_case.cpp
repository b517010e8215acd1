#include "tests/reference/compressed_case.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "algorithms/central/gram.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/unit/algorithms/known_reference.hpp"
#include "topologies/gossip.hpp"
#include "topologies/graph_union.hpp"

namespace lagnet::reference {

namespace {

double as_real(Index k) { return static_cast<double>(k); }

/// How many samples each of the agents with data has: one number, or a list.
std::vector<Index> sample_counts(const Json& item) {
  const Json& n = item.at("n_local");
  if (n.is_array()) return n.get<std::vector<Index>>();
  return std::vector<Index>(static_cast<std::size_t>(size_at(item, "m")), size_at(item, "n_local"));
}

}  // namespace

void add_data(const Json& data, const std::vector<Index>& counts, Index d, MethodInput& given, Verdict& verdict) {
  const Index m = std::ssize(counts);
  check_keys(data, "data/",
             {"formula", "y", "a", "b", "c", "e", "shift", "scale", "tilt", "s0", "s1", "s2", "checksum_sum_X",
              "checksum_sum_iy"});
  const auto of = [&](const char* key) { return data.at(key).get<double>(); };
  const bool is_sign = data.at("y").get<std::string>().find("+1 if u[r] >= 0 else -1") != std::string::npos;
  if (!is_sign && data["y"] != "y[r] = u[r]") throw std::runtime_error("not understood: data/y = " + data["y"].dump());
  std::vector<Index>& starts = given.sample_starts;
  starts.push_back(0);
  for (const Index n : counts) starts.push_back(starts.back() + n);
  Matrix X(starts.back(), d);
  Vector y(X.rows());
  double sum_iy = 0;
  for (Index i = 0; i < m; ++i)
    for (Index first = starts[static_cast<std::size_t>(i)], row = first; row < starts[static_cast<std::size_t>(i) + 1];
         ++row) {
      const double r = as_real(row - first);
      double u = of("s0") * std::sin(of("s1") * r + of("s2") + as_real(i));
      for (Index j = 0; j < d; ++j) {
        X(row, j) = std::sin((of("a") + of("shift") * as_real(i)) + of("b") * r + of("c") * as_real(j) +
                             of("e") * r * as_real(j)) *
                    (1 + data.value("scale", 0.0) * as_real(j));
        u += X(row, j) * std::cos(as_real(j));
      }
      u += of("tilt") * std::sin(as_real(i + 1)) * X(row, 0);
      y[row] = is_sign ? (u >= 0 ? 1 : -1) : u;
      sum_iy += (r + 1) * y[row];
    }
  verdict.compare("sum of X", {X.sum()}, {of("checksum_sum_X")});
  verdict.compare("sum of (r + 1) y", {sum_iy}, {of("checksum_sum_iy")});
  given.problem.X = std::make_shared<const DataMatrix>(std::move(X));
  given.problem.y = std::move(y);
}

namespace {

/// Vectors x_i that agents average: each is the minimizer of its agent's own samples, the unit vectors.
void add_starts(const Json& item, MethodInput& given) {
  if (item.at("start") != "X0[i][j] = 3 sin(1 + 1.7 (i*d + j))")
    throw std::runtime_error("not understood: start = " + item["start"].dump());
  const Index m = size_at(item, "m"), d = size_at(item, "d");
  Vector y(m * d);
  for (Index i = 0; i <= m; ++i) given.sample_starts.push_back(i * d);
  for (Index k = 0; k < m * d; ++k) y[k] = 3 * std::sin(1 + 1.7 * as_real(k));
  given.problem = unit_samples(std::move(y), d);
}

Topology graph_of(const Json& item, const Json& list) {
  std::vector<Edge> edges;
  for (const Json& edge : list) edges.push_back({edge.at(0).get<AgentId>(), edge.at(1).get<AgentId>()});
  return Topology(size_at(item, "m"), std::move(edges));
}

void add_links(const Topology& topology, std::vector<LinkSpec>& links) {
  for (const Edge& edge : topology.edges()) {
    links.push_back({edge.from, edge.to, Duration::milliseconds(1)});
    links.push_back({edge.to, edge.from, Duration::milliseconds(2)});
  }
}

/// Graphs in turn, a round on each: the links of all of them.
void add_sequence(const Json& item, CompressedCase& made) {
  if (item.at("graph_of_round") != "graphs[(round-1) mod number of graphs]")
    throw std::runtime_error("not understood: graph_of_round = " + item["graph_of_round"].dump());
  GraphSequence sequence{.graphs = {}, .all_connected = true};
  for (const Json& list : list_at(item, "graphs")) sequence.graphs.push_back(graph_of(item, list));
  GraphUnion all(sequence.graphs.front());
  for (const Topology& graph : sequence.graphs)
    if (!all.add(graph).empty()) throw std::runtime_error("not understood: graphs with other agents");
  const Topology topology = all.topology();
  add_links(topology, made.links);
  made.given.network = network_facts(topology, true);
  made.given.network.changes = true;
  add_graph_spectra(made.given.network, topology, &sequence);
  const Network network(static_cast<AgentId>(topology.agents()), made.links);
  std::vector<std::vector<bool>> active;
  for (const Topology& graph : sequence.graphs) {
    std::vector<bool>& links = active.emplace_back(network.links());
    for (const Edge& edge : graph.edges())
      links[network.find(edge.from, edge.to)] = links[network.find(edge.to, edge.from)] = true;
  }
  made.model.topology = std::make_shared<GraphsInTurn>(std::move(active), 1);
}

/// Links in both directions, and what peers know of their graph.
void add_graph(const Json& item, MethodInput& given, std::vector<LinkSpec>& links) {
  const Topology topology = graph_of(item, item.at("edges"));
  add_links(topology, links);
  given.network = network_facts(topology, true);
  add_graph_spectra(given.network, topology, nullptr);
  const std::string gossip = item.value("gossip", "metropolis");
  if (gossip != "metropolis" && gossip != "lazy_metropolis")
    throw std::runtime_error("not understood: gossip = " + gossip);
  add_gossip(
      given.network, topology,
      gossip_matrix(topology, gossip == "metropolis" ? GossipWeights::metropolis : GossipWeights::lazy_metropolis));
}

/// Links from the first agent of each arc to the second. Their methods know no more of the graph than their degrees.
void add_arcs(const Json& item, CompressedCase& made) {
  if (item.at("arc_direction") != "[from, to]")
    throw std::runtime_error("not understood: arc_direction = " + item["arc_direction"].dump());
  for (const Json& arc : item["arcs"])
    made.links.push_back({arc.at(0).get<AgentId>(), arc.at(1).get<AgentId>(), Duration::milliseconds(1)});
  made.directions = LinkDirections::any;
  made.given.network.agents = size_at(item, "m");
}

/// The last round that a member of the results has numbers for; those that are lists have it in their names.
Round last_round_with_numbers(const Json& item) {
  Round last = 2;
  for (const auto& [key, value] : item.items()) {
    if (key.starts_with("iterate_")) last = std::max<Round>(last, std::stoll(key.substr(key.find('_') + 1)));
    if (key == "steps") last = std::max<Round>(last, std::ssize(value));
    if (key != "objective" && key != "relative_consensus_error") continue;
    for (const auto& [round, number] : value.items()) last = std::max<Round>(last, std::stoll(round));
  }
  return last;
}

class CompressedRecorder final : public Recorder {
 public:
  CompressedRecorder(const CompressedCase& made, Simulation& world, const Ledger& ledger, CompressedRun& run)
      : made_(made),
        agents_(static_cast<AgentId>(made.given.network.agents)),
        world_(world),
        ledger_(ledger),
        run_(run) {}
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    if (made_.kind.counts_visits && round > 0) round = ++visits_;
    if (visits_ > made_.given.rounds) {
      world_.stop();
      return;
    }
    auto& reports = run_.reports[round];
    auto& accounts = run_.accounts[round];
    reports.resize(agents_);
    accounts.resize(agents_);
    reports[agent].assign(parts.begin(), parts.end());
    for (AgentId k = 0; k < agents_; ++k)
      if (k == agent || made_.kind.has_server || made_.kind.counts_visits) accounts[k] = ledger_.agent(k);
  }

 private:
  const CompressedCase& made_;
  AgentId agents_;
  Simulation& world_;
  Round visits_ = 0;
  const Ledger& ledger_;
  CompressedRun& run_;
};

}  // namespace

Json section_of(const Json& item, std::string_view kind, const std::vector<std::string>& but) {
  Json section{{"kind", kind}};
  for (const auto& [key, value] : item.at("parameters").items())
    if (std::ranges::find(but, key) == but.end()) section[key] = value;
  if (item.contains("compressor")) section["compressor"] = item["compressor"];
  return section;
}

Problem unit_samples(Vector y, Index d) {
  const Index m = y.size() / d;
  Matrix X(m * d, d);
  for (Index i = 0; i < m; ++i) X.middleRows(i * d, d) = Matrix::Identity(d, d);
  Problem problem;
  problem.X = std::make_shared<const DataMatrix>(std::move(X));
  problem.y = std::move(y);
  problem.samples = problem.X->rows();
  problem.loss = make_loss(SquaredOptions{});
  problem.regularizer = make_regularizer(ElasticNetOptions{});
  problem.shape = IterateShape::vector(d);
  return problem;
}

CompressionDraws::Given uniforms_of(const Json& item) {
  if (!item.contains("uniforms")) return nullptr;
  const auto text = item["uniforms"].get<std::string>();
  for (const char* part : {"(h + 0.5)/2^32", "agent*73856093 + round*19349663 + index*83492791 + 12345",
                           "h ^= h>>16; h *= 0x85EBCA6B; h ^= h>>13; h *= 0xC2B2AE35; h ^= h>>16"})
    if (text.find(part) == std::string::npos) throw std::runtime_error("not understood: uniforms = " + text);
  return [](AgentId agent, Round round, Index index) {
    std::uint32_t h = agent * 73856093u + static_cast<std::uint32_t>(round) * 19349663u +
                      static_cast<std::uint32_t>(index) * 83492791u + 12345u;
    h ^= h >> 16;
    h *= 0x85EBCA6Bu;
    h ^= h >> 13;
    h *= 0xC2B2AE35u;
    h ^= h >> 16;
    return (h + 0.5) / 0x1p32;
  };
}

AgentAccount CompressedRun::of_round(AgentId agent, Round round) const {
  AgentAccount done = accounts.at(round).at(agent);
  const AgentAccount& before = accounts.at(round - 1).at(agent);
  done.flops -= before.flops;
  done.bytes_sent -= before.bytes_sent;
  done.messages_sent -= before.messages_sent;
  return done;
}

CompressedCase compressed_case(const Json& item, const CompressedKind& kind, Verdict& verdict) {
  CompressedCase made{.kind = kind};
  MethodInput& given = made.given;
  if (item.contains("data"))
    add_data(item.at("data"), sample_counts(item), size_at(item, "d"), given, verdict);
  else
    add_starts(item, given);
  const std::string loss = item.value("loss", "squared");
  if (loss != "squared" && loss != "logistic") throw std::runtime_error("not understood: loss = " + loss);
  given.problem.loss = loss == "squared" ? make_loss(SquaredOptions{}) : make_loss(LogisticOptions{});
  given.problem.regularizer =
      make_regularizer(ElasticNetOptions{.l1_weight = item.value("l1", 0.0), .l2_weight = item.value("l2", 0.0)});
  given.problem.samples = given.problem.X->rows();
  given.problem.shape = IterateShape::vector(given.problem.X->cols());
  if (kind.has_server) {
    given.sample_starts.insert(given.sample_starts.begin(), 0);  // the server's
    given.network.agents = std::ssize(given.sample_starts) - 1;
    for (AgentId k = 1; k < given.network.agents; ++k) {
      made.links.push_back({server_agent, k, Duration::milliseconds(1)});
      made.links.push_back({k, server_agent, Duration::milliseconds(2)});
    }
  } else {
    if (item.contains("arcs"))
      add_arcs(item, made);
    else if (item.contains("graphs"))
      add_sequence(item, made);
    else if (item.contains("rounds"))
      add_rounds(item, made);
    else
      add_graph(item, given, made.links);
    if (item.contains("n_local") && item["n_local"].is_array()) given.agent_weights = AgentWeights::even;
  }
  given.central = std::make_shared<const test::KnownReference>(spectral_norm(*given.problem.X));
  given.rounds = last_round_with_numbers(item);
  add_losses(item, made);
  given.compression_draws = uniforms_of(item);
  if (kind.counts_visits && !given.compression_draws) given.compression_draws = walk_of(item, made.links);
  made.seed = item.value("seed", std::uint64_t{1});
  if (kind.participation && (made.model.participation = kind.participation(item)))
    if (const auto asked = made.model.participation->asked_each_round(made.given.sample_starts.size() - 2))
      given.cohort = static_cast<Index>(*asked);
  if (kind.make) {
    made.algorithm = kind.make(item, given);
    return made;
  }
  const Json section = kind.section ? kind.section(item) : section_of(item, kind.name);
  Choice<AlgorithmFamily> choice;
  Diagnostics diagnostics("");
  choice.read(section, "", diagnostics);
  diagnostics.throw_if_any();
  made.algorithm = choice.make().make(given);
  return made;
}

CompressedRun CompressedCase::run() const {
  const auto agents = static_cast<AgentId>(given.network.agents);
  Simulation world(Network(agents, links, {}, directions),
                   compute.value_or(ComputeModel(std::vector<double>(agents, 1e9))), {.seed = seed, .model = model});
  Ledger ledger(agents, world.network().links());
  CompressedRun run;
  CompressedRecorder recorder(*this, world, ledger, run);
  world.listen(ledger);
  world.record(recorder);
  algorithm->spawn(world);
  world.run();
  return run;
}

}  // namespace lagnet::reference
