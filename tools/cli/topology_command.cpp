#include "tools/cli/commands.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/assembly/make_network.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/design/bottleneck.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/resource_names.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/words/layout.hpp"
#include "scenarios/words/words.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/topology_picture.hpp"
#include "topologies/gossip.hpp"
#include "topologies/graph_notes.hpp"
#include "topologies/laplacian.hpp"
#include "topologies/one_way_weights.hpp"
#include "topologies/spectrum.hpp"
#include "topologies/structure.hpp"

namespace lagnet::tools {

namespace {

/// The middle, and whom most ways pass.
Json facts_of_ways(const Topology& topology) {
  Json facts{{"betweenness", nullptr}, {"middle", nullptr}};
  if (const auto share = betweenness(topology)) facts["betweenness"] = *share;
  if (const auto found = middle(topology))
    facts["middle"] = {{"agent", found->agent}, {"mean_hops", found->mean_hops}, {"radius", found->radius}};
  return facts;
}

Json digraph_facts(const std::string& kind, const Topology& digraph) {
  const Distances lengths = distances(digraph);
  const auto goes_one_way = [&](const Edge& arc) { return !digraph.sends(arc.to, arc.from); };
  const auto push = one_way_factor(digraph, push_weights(digraph));
  const auto pull = one_way_factor(digraph, pull_weights(digraph));
  Json facts{{"kind", kind}};
  facts.update(graph_facts(digraph));
  facts.update({{"one_way_arcs", std::ranges::count_if(digraph.edges(), goes_one_way)},
                {"diameter", lengths.diameter},
                {"mean_path_length", lengths.mean_path_length},
                {"distances_exact", lengths.exact},
                {"push_factor", push ? Json(*push) : Json(nullptr)},
                {"pull_factor", pull ? Json(*pull) : Json(nullptr)}});
  facts.update(facts_of_ways(digraph));
  return facts;
}

Json topology_facts(const std::string& kind, const Topology& topology) {
  if (topology.is_directed()) return digraph_facts(kind, topology);
  const Spectrum eigenvalues = spectrum(topology);
  const Distances lengths = distances(topology);
  Json facts{{"kind", kind}};
  facts.update(graph_facts(topology));
  facts.update({{"diameter", lengths.diameter},
                {"mean_path_length", lengths.mean_path_length},
                {"distances_exact", lengths.exact},
                {"laplacian_max", eigenvalues.laplacian_max},
                {"algebraic_connectivity", number_or_null(eigenvalues.algebraic_connectivity)},
                {"metropolis_spectral_gap", spectral_gap(gossip_matrix(topology))}});
  const WeakPlaces weak = weak_places(topology);
  Json bridges = Json::array();
  for (const Edge& edge : weak.bridges) bridges.push_back({edge.from, edge.to});
  facts.update({{"bridges", std::move(bridges)}, {"articulation_points", weak.articulation_points}});
  facts.update(facts_of_ways(topology));
  facts["laplacian_eigenvalues"] = nullptr;
  if (const auto all = laplacian_eigenvalues(topology)) facts["laplacian_eigenvalues"] = *all;
  return facts;
}

/// Of the matrix W that methods mix with.
Json gossip_facts(const GossipOptions& gossip, const Topology& topology) {
  const std::string name = gossip.path.empty() ? std::string(spelled(gossip.weights)) : gossip.path.filename().string();
  return {{"gossip", name}, {"gossip_spectral_gap", spectral_gap(make_gossip(gossip, topology))}};
}

/// "0-4 4-8 and 3 more": agents or edges by their names.
std::string names_of(const Json& list, const Topology& topology) {
  constexpr std::size_t shown_at_most = 8;
  const auto name = [&](const Json& agent) { return topology.name_of(agent.get<AgentId>()); };
  std::vector<std::string> names;
  for (const Json& one : list)
    names.push_back(one.is_array() ? fmt::format("{}-{}", name(one[0]), name(one[1])) : name(one));
  return names.empty() ? "none" : first_of(names, shown_at_most, " ");
}

/// The text output: lists by their first members, and the agent on most paths.
void add_structure(const Json& facts, const Topology& topology, TextRows& lines) {
  const auto called = [&](std::int64_t agent) {
    if (topology.notes().names.empty()) return fmt::format("agent {}", agent);
    return fmt::format("agent {} ({})", agent, topology.name_of(static_cast<AgentId>(agent)));
  };

  for (const char* weak : {"bridges", "articulation_points"})
    if (facts.contains(weak)) lines.push_back({weak, names_of(facts[weak], topology)});
  if (const Json& share = facts["betweenness"]; share.is_array()) {
    const auto most = std::max_element(share.begin(), share.end());
    lines.push_back({"most_between", fmt::format("{}: {:.3g} of the shortest paths of others",
                                                 called(most - share.begin()), most->get<double>())});
  }
  if (const Json& found = facts["middle"]; found.is_object())
    lines.push_back({"middle", fmt::format("{}: {:.3g} edges to others on average, {} to the farthest",
                                           called(found["agent"].get<std::int64_t>()), found["mean_hops"].get<double>(),
                                           found["radius"].dump())});
}

/// Whether the scenario says of some bandwidth that it is unlike the others.
bool has_bandwidths(const NetworkOptions& network, const GraphNotes& notes) {
  const auto& rate = network.bandwidth_bytes_per_s;
  return network.underlay || !network.media.empty() || !network.links.empty() || !network.interfaces.empty() ||
         network.up_bytes_per_s || network.down_bytes_per_s || network.has_site_limits() ||
         (rate && !rate->options_as<ConstantOptions>()) || !notes.links.empty() || !notes.interfaces.empty();
}

/// What limits an exchange with all neighbors; null if nothing does, or all links alike.
Json bottleneck_facts(const Scenario& scenario, const Topology& topology, const std::string& shown) {
  if (!has_bandwidths(scenario.network, topology.notes())) return nullptr;
  const Network network = make_network(topology, scenario.network, scenario.seed, shown);
  const auto found = bottleneck(network);
  if (!found) return nullptr;
  return {{"resource", name_of_resource(network, topology.notes().names, false, found->resource)},
          {"kind", kind_of_resource(network, found->resource)},
          {"messages", found->messages},
          {"bytes_per_s", found->bytes_per_s},
          {"s_per_megabyte", found->s_per_byte * 1e6},
          {"others", found->others}};
}

/// "wan left -> right, and 1 other: 4 messages of an exchange, 3.2 s for each MB of a message".
std::string bottleneck_text(const Json& found) {
  const auto others = found["others"].get<std::int64_t>();
  const auto more = others == 0 ? "" : fmt::format(", and {}", counted(others, "other"));
  return fmt::format("{}{}: {} of an exchange, {:.3g} s for each MB of a message", found["resource"].get<std::string>(),
                     more, counted(found["messages"].get<std::int64_t>(), "message"),
                     found["s_per_megabyte"].get<double>());
}

/// For people, who want three digits of what is no count.
std::string fact_text(const Json& value) {
  return value.is_number_float() ? fmt::format("{:.3g}", value.get<double>()) : text_or_json(value);
}

}  // namespace

int topology_command(const std::string& scenario, const std::vector<std::string>& settings, const OutputFile& out,
                     const Console& console) {
  Json list = Json::array();
  const std::vector<SweepPoint> points = sweep_points(read_scenario_file(scenario, settings));
  if (!out.path.empty() && points.size() > 1)
    throw InputError(
        fmt::format("topology: -o: expected one topology to draw, found {} points of a sweep; --set "
                    "'sweep={{}}' leaves the scenario's own",
                    points.size()));
  for (const SweepPoint& point : points) {
    const Scenario read = read_scenario(point.file);
    const Topology topology = make_topology(read, point.file.shown);
    Json facts;
    Diagnostics problems(point.file.shown);
    collect_diagnostics(problems, "/topology",
                        [&] { facts = topology_facts(std::string(read.topology.kind()), topology); });
    if (const GossipOptions& gossip = read.topology.common().gossip;
        mixes_alike(read.topology) &&
        (!topology.is_directed() || !gossip.path.empty() || gossip.weights == GossipWeights::edge_weights))
      collect_diagnostics(problems, "/topology/gossip", [&] { facts.update(gossip_facts(gossip, topology)); });
    problems.throw_if_any();
    facts["bottleneck"] = bottleneck_facts(read, topology, point.file.shown);
    if (!console.quiet)
      for (const Remark& remark : topology.notes().remarks) print_wrapped("topology: " + remark.text);
    if (const auto changes = change_of(read.topology)) facts["changes"] = *changes;
    for (const auto& [pointer, value] : point.values) facts["sweep"][pointer] = value;
    list.push_back(facts);
    if (!out.path.empty()) write_output(out, svg_picture(topology));
    if (console.json || console.quiet) continue;
    TextRows lines;
    for (const auto& [key, value] : facts.items())
      if (!value.is_structured() && !value.is_null()) lines.push_back({key, fact_text(value)});
    add_structure(facts, topology, lines);
    if (facts["bottleneck"].is_object()) lines.push_back({"bottleneck", bottleneck_text(facts["bottleneck"])});
    if (facts.contains("sweep")) lines.push_back({"sweep", facts["sweep"].dump()});
    print_out("{}{}", laid_out(lines, {true, true}), points.size() > 1 ? "\n" : "");
  }
  if (console.json) print_text(indented(list));
  return 0;
}

}  // namespace lagnet::tools
