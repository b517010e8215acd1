#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "scenarios/assembly/make_topology.hpp"
#include "tests/reference/compressed_case.hpp"
#include "topologies/sequences/sequences.hpp"

namespace lagnet::reference {

namespace {

/// Of a text "arcs [from, to]..", or else "edges [i, j, weight]..".
bool are_arcs(const Json& item) {
  const auto text = item.at("rounds_are").get<std::string>();
  if (!text.starts_with("arcs [from, to]") && !text.starts_with("edges [i, j, weight]"))
    throw std::runtime_error("not understood: rounds_are = " + text);
  return text.starts_with("arcs");
}

/// Whether the rounds are the first of those that are drawn, "of rounds 1 to 8".
bool are_drawn(const Json& item) {
  return item.at("rounds_are").get<std::string>().find("of rounds 1 to") != std::string::npos;
}

Topology graph_of_round(const Json& item, const Json& list, bool is_one_way) {
  std::vector<Edge> edges;
  for (const Json& one : list) {
    if (one.size() != (is_one_way ? 2 : 3)) throw std::runtime_error("not understood: rounds with " + one.dump());
    edges.push_back({one[0].get<AgentId>(), one[1].get<AgentId>(), is_one_way ? 1 : one[2].get<double>()});
  }
  const std::int64_t m = size_at(item, "m");
  return is_one_way ? Topology::of_arcs(m, std::move(edges)) : Topology(m, std::move(edges));
}

std::vector<Edge> arcs_of(const Topology& graph) { return {graph.edges().begin(), graph.edges().end()}; }

Topology drawn_graph(std::int64_t m, const std::vector<std::vector<AgentId>>& receivers) {
  std::vector<Edge> arcs;
  for (AgentId from = 0; from < receivers.size(); ++from)
    for (const AgentId to : receivers[from]) arcs.push_back({from, to});
  return Topology::of_arcs(m, std::move(arcs));
}

/// Of the two rules the one by which the uniforms draw the listed rounds.
GraphSequence drawn_rounds(const Json& item, const Network& complete) {
  const std::int64_t m = size_at(item, "m");
  const Json& rounds = list_at(item, "rounds");
  const std::int64_t out = std::ssize(rounds[0]) / m;
  for (const bool is_oracle : {false, true}) {
    const RandomReceivers drawn(complete, {.out = out, .is_balanced = is_oracle}, item.value("seed", std::uint64_t{1}),
                                uniforms_of(item));
    bool agrees = true;
    for (std::size_t k = 0; k < rounds.size(); ++k)
      agrees = agrees && arcs_of(drawn_graph(m, drawn.receivers(static_cast<Round>(k + 1)))) ==
                             arcs_of(graph_of_round(item, rounds[k], true));
    if (agrees) return make_sequence(EpidemicOptions{.agents = m, .s = out, .oracle = is_oracle});
  }
  throw std::runtime_error("the listed rounds are drawn by none of the rules of epidemic");
}

/// The form adapt_first is one exchange, whatever a case says of the others' number.
Json tracking_section(const Json& item) {
  const bool is_one = item.at("parameters").value("form", "diging") == "adapt_first";
  return section_of(item, "gradient_tracking",
                    is_one ? std::vector<std::string>{"exchanges"} : std::vector<std::string>());
}

/// A case of a family of sequences.
std::optional<GraphSequence> family_of(const Json& item) {
  const std::string kind = item.value("algorithm", "");
  const auto m = [&] { return size_at(item, "m"); };
  if (kind == BaseGraphOptions::kind) return make_sequence(BaseGraphOptions{.agents = m(), .k = size_at(item, "k")});
  if (kind == OnePeerExponentialOptions::kind) return make_sequence(OnePeerExponentialOptions{.agents = m()});
  if (kind == HypercubeMatchingsOptions::kind) return make_sequence(HypercubeMatchingsOptions{.agents = m()});
  return std::nullopt;
}

/// W^t of a graph of the sequence.
Matrix matrix_of(const GraphSequence& sequence, const Topology& graph) {
  if (sequence.weights == SequenceWeights::of_edges) return Matrix(matrix_of_edges(graph));
  Matrix w = Matrix::Zero(graph.agents(), graph.agents());
  for (AgentId i = 0; i < graph.agents(); ++i) {
    w(i, i) = 1 / (1 + static_cast<double>(graph.in(i).size()));
    for (const AgentId from : graph.in(i)) w(i, from) = w(i, i);
  }
  return w;
}

}  // namespace

const std::vector<CompressedKind>& more_peer_kinds() {
  static const std::vector<CompressedKind> all{
      {.name = "dgd"}, {.name = "gradient_tracking", .section = tracking_section}, {.name = "nids"}};
  return all;
}

std::int64_t messages_of_round(const Json& item, Round round) {
  const Json& rounds = list_at(item, "rounds");
  const Json& graph = rounds[static_cast<std::size_t>(round - 1) % rounds.size()];
  return std::ssize(graph) * (are_arcs(item) ? 1 : 2);
}

void add_rounds(const Json& item, CompressedCase& made) {
  if (item.at("matrix_of_round") != "rounds[(t-1) mod number of rounds]")
    throw std::runtime_error("not understood: matrix_of_round = " + item["matrix_of_round"].dump());
  const bool is_one_way = are_arcs(item);
  GraphSequence sequence{.graphs = {}, .weights = is_one_way ? SequenceWeights::even : SequenceWeights::of_edges};
  for (const Json& list : list_at(item, "rounds")) sequence.graphs.push_back(graph_of_round(item, list, is_one_way));
  const auto m = static_cast<AgentId>(size_at(item, "m"));
  const Topology all = are_drawn(item) ? make_topology(EpidemicOptions{.agents = m}, 1) : sequence.plain_union();
  for (const Edge& edge : all.edges()) {
    made.links.push_back({edge.from, edge.to, Duration::milliseconds(1)});
    if (!is_one_way) made.links.push_back({edge.to, edge.from, Duration::milliseconds(2)});
  }
  made.directions = is_one_way ? LinkDirections::any : LinkDirections::both;
  const Network network(m, made.links, {}, made.directions);
  if (are_drawn(item)) sequence = drawn_rounds(item, network);
  made.given.network = network_facts(all, false);
  made.given.network.changes = true;
  add_round_weights(made.given.network, sequence, GossipOptions());
  made.model.topology = schedule_of(sequence, network, item.value("seed", std::uint64_t{1}), uniforms_of(item));
}

bool is_graph_rounds(const Json& item) { return !item.contains("parameters") && family_of(item).has_value(); }

Verdict check_graph_rounds(const Json& item) {
  Verdict verdict(tolerance_of(item));
  check_keys_but_texts(item, "", {"id", "public", "algorithm", "note", "m", "k", "rounds", "distance_after_round"});
  const GraphSequence sequence = *family_of(item);
  const Json& rounds = item.at("rounds");
  if (rounds.size() != sequence.graphs.size()) verdict.fail("not as many rounds");
  for (std::size_t k = 0; k < std::min(rounds.size(), sequence.graphs.size()); ++k) {
    const Topology& graph = sequence.graphs[k];
    std::vector<double> got, want;
    const bool is_one_way = graph.is_directed();
    const Matrix w = matrix_of(sequence, graph);
    for (const Edge& edge : graph.edges())
      got.insert(got.end(), {1.0 * edge.from, 1.0 * edge.to, is_one_way ? edge.weight : w(edge.to, edge.from)});
    const Topology listed = graph_of_round(item, rounds[k], is_one_way);
    for (const Edge& edge : listed.edges()) want.insert(want.end(), {1.0 * edge.from, 1.0 * edge.to, edge.weight});
    verdict.compare("round " + std::to_string(k + 1), got, want);
  }
  if (!item.contains("distance_after_round")) return verdict;
  if (item.value("note", "").find("X0[i][j] = sin(1 + 2i + j)") == std::string::npos)
    throw std::runtime_error("not understood: note = " + item.value("note", ""));
  constexpr Index columns = 2;  // the distance is that of the entry that is farthest from its column's mean
  Matrix X(size_at(item, "m"), columns);
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < columns; ++j) X(i, j) = std::sin(1 + 2 * static_cast<double>(i) + static_cast<double>(j));
  std::vector<double> got;
  const auto note_distance = [&] { got.push_back((X.rowwise() - X.colwise().mean()).cwiseAbs().maxCoeff()); };
  note_distance();
  for (const Topology& graph : sequence.graphs) {
    X = matrix_of(sequence, graph) * X;
    note_distance();
  }
  verdict.compare("distance_after_round", got, numbers(item["distance_after_round"]));
  return verdict;
}

}  // namespace lagnet::reference
