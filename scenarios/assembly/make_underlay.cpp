#include "scenarios/assembly/make_underlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "scenarios/json/schema.hpp"
#include "scenarios/words/words.hpp"
#include "topologies/generators/edge_list.hpp"
#include "topologies/generators/graphml.hpp"

namespace lagnet {

void NodeNames::read(const Json& value, const std::string& pointer, Diagnostics& diagnostics) {
  names.clear();
  if (!value.is_number()) return read_value(value, names, any_value(), pointer, diagnostics);
  std::int64_t count = 0;
  read_value(value, count, within(1, max_subjects), pointer, diagnostics);
  for (std::int64_t node = 0; node < count; ++node) names.push_back(std::to_string(node));
}

Json NodeNames::schema(SchemaBuilder&) {
  return Json{{"anyOf", Json::array({number_schema("integer", at_least(1)),
                                     Json{{"type", "array"}, {"items", {{"type", "string"}}}}})}};
}

std::shared_ptr<const QueueLimit> queue_limit(const std::optional<QueueOptions>& options) {
  if (!options) return nullptr;
  return std::make_shared<QueueLimit>(
      QueueLimit{.bytes = options->bytes, .messages = options->messages, .full = options->full});
}

namespace {

Topology graph_of_file(const std::filesystem::path& path, ParallelLinks parallel) {
  const ParallelEdges edges = parallel == ParallelLinks::keep    ? ParallelEdges::keep
                              : parallel == ParallelLinks::merge ? ParallelEdges::merge
                                                                 : ParallelEdges::refuse;
  constexpr std::array of_edge_lists{".csv", ".tsv", ".txt"};
  if (std::ranges::find(of_edge_lists, path.extension()) != of_edge_lists.end())
    return make_topology(EdgeListOptions{.path = path, .agents = {}, .parallel_edges = edges}, 0);
  return make_topology(GraphmlOptions{.path = path, .parallel_edges = edges}, 0);
}

}  // namespace

UnderlayOptions with_file(UnderlayOptions options, Remarks* remarks) {
  if (!options.path) return options;
  const std::string shown = options.path->generic_string();
  const Topology graph = graph_of_file(*options.path, options.parallel_edges);
  const GraphNotes& notes = graph.notes();
  if (remarks) remarks->insert(remarks->end(), notes.remarks.begin(), notes.remarks.end());
  options.nodes.names = notes.names;
  for (std::int64_t k = std::ssize(notes.names); k < graph.agents(); ++k)
    options.nodes.names.push_back(std::to_string(k));
  std::map<std::pair<AgentId, AgentId>, LinkNote> by_ends;
  for (const LinkNote& note : notes.links) by_ends[{note.from, note.to}] = note;
  const auto constant = [](double value) { return Choice<SignalFamily>(ConstantOptions{.value = value}); };
  const auto place = [&](AgentId node) -> const std::optional<Place>& {
    static const std::optional<Place> none;
    return node < notes.places.size() ? notes.places[node] : none;
  };
  std::vector<Diagnostic> problems;
  for (AgentId node = 0; options.latency_from && node < options.nodes.names.size(); ++node)
    if (!place(node))
      problems.push_back(
          {fmt::format("{}: node {}", shown, options.nodes.names[node]), "Latitude and Longitude", "none"});
  if (!problems.empty()) throw Diagnosed(std::move(problems));
  const auto add_link = [&](const LinkNote& note) {
    InnerLinkOptions link{.ends = {options.nodes.names[note.from], options.nodes.names[note.to]}};
    if (options.latency_from)
      link.latency_ms = constant(latency_of_distance_ms(*place(note.from), *place(note.to)));
    else if (note.latency_ms)
      link.latency_ms = constant(*note.latency_ms);
    if (note.bandwidth_bytes_per_s) link.bandwidth_bytes_per_s = constant(*note.bandwidth_bytes_per_s);
    options.links.push_back(std::move(link));
  };
  for (const Edge& edge : graph.edges()) {
    LinkNote& note = by_ends[{edge.from, edge.to}];
    note.from = edge.from;
    note.to = edge.to;
    add_link(note);
  }
  for (const LinkNote& note : notes.further) add_link(note);
  return options;
}

std::map<NameOrNumber, Place> places_of_nodes(const UnderlayOptions& options) {
  std::map<NameOrNumber, Place> found;
  if (!options.path) return found;
  const Topology graph = graph_of_file(*options.path, options.parallel_edges);
  const GraphNotes& notes = graph.notes();
  for (std::size_t node = 0; node < notes.places.size(); ++node) {
    if (!notes.places[node]) continue;
    found[static_cast<std::int64_t>(node)] = *notes.places[node];
    if (node < notes.names.size()) {
      NameOrNumber named;
      named.name = notes.names[node];
      found[named] = *notes.places[node];
    }
  }
  return found;
}

UnderlayRoutes::UnderlayRoutes(const UnderlayOptions& options, const std::vector<SiteOptions>& sites,
                               const std::vector<SiteId>& site_of, AgentId agents, Diagnostics& diagnostics)
    : names_(options.nodes.names) {
  for (std::size_t k = 0; k < names_.size(); ++k)
    if (std::find(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(k), names_[k]) !=
        names_.begin() + static_cast<std::ptrdiff_t>(k))
      diagnostics.add(fmt::format("/network/underlay/nodes/{}", k), "each node once", lagnet::shown(names_[k]));
  add_links(options.links, diagnostics);
  if (std::ranges::any_of(sites, [](const SiteOptions& one) { return one.node.has_value(); }))
    place_sites(sites, site_of, diagnostics);
  else
    place_agents(options, agents, diagnostics);
  underlay_.routes.emplace_back();  // of agents of one node
  add_stated(options.routes, diagnostics);
}

std::optional<UnderlayRoutes::Node> UnderlayRoutes::node(const std::string& name, const std::string& pointer,
                                                         Diagnostics& diagnostics) const {
  const auto found = std::ranges::find(names_, name);
  if (found != names_.end()) return static_cast<Node>(found - names_.begin());
  diagnostics.add("/network/" + pointer, fmt::format("a node{}", did_you_mean(name, names_)), lagnet::shown(name));
  return {};
}

void UnderlayRoutes::add_links(const std::vector<InnerLinkOptions>& links, Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < links.size(); ++k) {
    const InnerLinkOptions& one = links[k];
    if (one.ends.size() != 2) continue;  // said already
    const auto from = node(one.ends[0], fmt::format("underlay/links/{}/ends/0", k), diagnostics);
    const auto to = node(one.ends[1], fmt::format("underlay/links/{}/ends/1", k), diagnostics);
    const std::string here = fmt::format("/network/underlay/links/{}", k);
    Underlay::InnerLink link;
    if (one.latency_ms) {
      CheckReport report(here + "/latency_ms", diagnostics);
      const Signal latency = one.latency_ms->make(SignalRole::latency_ms, report);
      link.latency = Duration::milliseconds(latency.value);
      link.latency_ns = latency.schedule;
    }
    if (one.bandwidth_bytes_per_s) {
      CheckReport report(here + "/bandwidth_bytes_per_s", diagnostics);
      const Signal rate = one.bandwidth_bytes_per_s->make(SignalRole::bandwidth_bytes_per_s, report);
      link.bandwidth_bytes_per_s = rate.value;
      link.bandwidth = rate.schedule;
    }
    if (one.loss_probability) {
      CheckReport report(here + "/loss_probability", diagnostics);
      const Signal loss = one.loss_probability->make(SignalRole::probability, report);
      link.loss = {loss.value, loss.schedule};
    }
    link.queue = queue_limit(one.queue);
    link.joules_per_byte = one.joules_per_byte;
    if (!from || !to) continue;
    const auto add = [&](const char* arrow, std::size_t first) {
      link.name = fmt::format("{} {} {} {}", one.name.empty() ? "inner link" : one.name, one.ends[first], arrow,
                              one.ends[1 - first]);
      underlay_.links.push_back(link);
      link_names_.push_back(one.name.empty() ? one.ends[0] + "-" + one.ends[1] : one.name);
      return static_cast<std::uint32_t>(underlay_.links.size() - 1);
    };
    const bool is_half = one.both_ways && one.duplex == Duplex::half;
    const std::uint32_t there = add(is_half ? "-" : "->", 0);
    ways_.push_back({*from, *to, there, link.latency});
    if (one.both_ways) ways_.push_back({*to, *from, is_half ? there : add("->", 1), link.latency});
  }
  std::ranges::stable_sort(ways_, {}, [](const Way& way) { return std::tuple(way.from, way.to, way.latency); });
}

void UnderlayRoutes::switch_off(const std::vector<OutageOptions>& outages, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < outages.size(); ++i)
    for (std::size_t k = 0; k < outages[i].inner_links.size(); ++k) {
      const std::string& name = outages[i].inner_links[k];
      if (std::ranges::find(link_names_, name) == link_names_.end())
        diagnostics.add(fmt::format("/network/outages/{}/inner_links/{}", i, k),
                        fmt::format("a link of network.underlay{}", did_you_mean(name, link_names_)),
                        lagnet::shown(name));
      for (std::size_t link = 0; link < link_names_.size(); ++link)
        if (link_names_[link] == name) underlay_.links[link].loss.off.push_back(window_of(outages[i]));
    }
}

void UnderlayRoutes::place_agents(const UnderlayOptions& options, AgentId agents, Diagnostics& diagnostics) {
  if (!options.agents) {
    if (names_.size() != agents)
      diagnostics.add("/network/underlay/agents",
                      fmt::format("the nodes of {} agents, here or by network.sites", agents), "null");
    for (AgentId a = 0; a < agents; ++a)
      node_of_agent_.push_back(std::min<Node>(a, static_cast<Node>(names_.size()) - 1));
    return;
  }
  if (options.agents->size() != agents)
    diagnostics.add("/network/underlay/agents", fmt::format("{} nodes, one for each agent", agents),
                    fmt::format("{}", options.agents->size()));
  for (AgentId a = 0; a < agents; ++a) {
    const NameOrNumber name = a < options.agents->size() ? (*options.agents)[a] : NameOrNumber(0);
    node_of_agent_.push_back(node_of(name, fmt::format("underlay/agents/{}", a), diagnostics));
  }
}

void UnderlayRoutes::place_sites(const std::vector<SiteOptions>& sites, const std::vector<SiteId>& site_of,
                                 Diagnostics& diagnostics) {
  std::vector<Node> nodes;
  for (const SiteOptions& site : sites) {
    const std::string pointer = fmt::format("sites/{}/node", nodes.size());
    if (!site.node) diagnostics.add("/network/" + pointer, "a node, as others of network.sites have one", "null");
    nodes.push_back(site.node ? node_of(*site.node, pointer, diagnostics) : 0);
  }
  for (const SiteId site : site_of) node_of_agent_.push_back(nodes[site]);
}

UnderlayRoutes::Node UnderlayRoutes::node_of(const NameOrNumber& name, const std::string& pointer,
                                             Diagnostics& diagnostics) const {
  const auto number = static_cast<std::size_t>(name.number);
  const std::string text = !name.name.empty()       ? name.name
                           : number < names_.size() ? names_[number]
                                                    : std::to_string(number);
  return node(text, pointer, diagnostics).value_or(0);
}

/// The inner links over these nodes, each the one of least latency of those that are on; nothing if two are not
/// neighbors.
std::optional<std::vector<std::uint32_t>> UnderlayRoutes::over(const std::vector<Node>& nodes,
                                                               const IsOff& is_off) const {
  std::vector<std::uint32_t> links;
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    auto way = std::ranges::lower_bound(ways_, std::pair(nodes[k - 1], nodes[k]), {},
                                        [](const Way& one) { return std::pair(one.from, one.to); });
    while (way != ways_.end() && !is_off.empty() && is_off[way->link]) ++way;
    if (way == ways_.end() || way->from != nodes[k - 1] || way->to != nodes[k]) return {};
    links.push_back(way->link);
  }
  return links;
}

void UnderlayRoutes::add_stated(const std::vector<RouteOptions>& routes, Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < routes.size(); ++k) {
    std::vector<Node> nodes;
    const auto add = [&](const std::string& name, const std::string& key) {
      if (const auto found = node(name, fmt::format("underlay/routes/{}/{}", k, key), diagnostics))
        nodes.push_back(*found);
    };
    add(routes[k].from, "from");
    for (std::size_t i = 0; i < routes[k].via.size(); ++i) add(routes[k].via[i], fmt::format("via/{}", i));
    add(routes[k].to, "to");
    if (nodes.size() != routes[k].via.size() + 2) continue;
    const auto links = over(nodes);
    if (!links) {
      diagnostics.add(fmt::format("/network/underlay/routes/{}", k), "nodes each of which has a link to the next one",
                      fmt::format("{}, {}{}", routes[k].from, fmt::join(routes[k].via, ", "),
                                  (routes[k].via.empty() ? "" : ", ") + routes[k].to));
      continue;
    }
    known_[{nodes.front(), nodes.back()}] = static_cast<std::uint32_t>(underlay_.routes.size());
    underlay_.routes.push_back(*links);
  }
}

const std::vector<std::optional<std::vector<UnderlayRoutes::Node>>>& UnderlayRoutes::shortest_from(Node from) {
  auto found = shortest_.find(from);
  if (found == shortest_.end()) found = shortest_.emplace(from, shortest(from)).first;
  return found->second;
}

std::vector<std::optional<std::vector<UnderlayRoutes::Node>>> UnderlayRoutes::shortest(Node from,
                                                                                       const IsOff& is_off) const {
  std::vector<Arc> arcs;
  for (const Way& way : ways_)
    if (is_off.empty() || !is_off[way.link]) arcs.push_back({way.from, way.to, way.latency});
  return shortest_routes(static_cast<Node>(names_.size()), arcs, from);
}

/// In place of each route: itself if all of it is on, else the shortest one of what is.
std::vector<std::uint32_t> UnderlayRoutes::routes_without(const IsOff& is_off) {
  std::vector<std::uint32_t> taken(underlay_.routes.size(), 0);
  std::map<Node, std::vector<std::optional<std::vector<Node>>>> from;  // where some way is interrupted
  for (const auto& [ends, usual] : known_) {
    taken[usual] = usual;
    if (std::ranges::none_of(underlay_.routes[usual], [&](std::uint32_t link) { return is_off[link]; })) continue;
    if (!from.contains(ends.first)) from[ends.first] = shortest(ends.first, is_off);
    const auto& nodes = from[ends.first][ends.second];
    taken[usual] = nodes ? number_of_detour(*over(*nodes, is_off)) : Underlay::no_route;
  }
  return taken;
}

/// What goes around a link that is off again and again takes the same route each time.
std::uint32_t UnderlayRoutes::number_of_detour(const std::vector<std::uint32_t>& links) {
  const auto [place, is_new] = detours_.try_emplace(links, static_cast<std::uint32_t>(underlay_.routes.size()));
  if (is_new) underlay_.routes.push_back(links);
  return place->second;
}

void UnderlayRoutes::go_around() {
  std::set<Time> moments;
  for (const Underlay::InnerLink& link : underlay_.links)
    for (const Window& off : link.loss.off) moments.insert({off.from, off.until});
  moments.erase(Time::never());
  const std::size_t usual = underlay_.routes.size();
  for (const Time moment : moments) {
    IsOff is_off;
    for (const Underlay::InnerLink& link : underlay_.links) is_off.push_back(link.loss.is_off(moment));
    std::vector<std::uint32_t> taken = routes_without(is_off);
    taken.resize(usual);  // of routes that links have
    underlay_.detours.push_back({moment, std::move(taken)});
  }
}

std::uint32_t UnderlayRoutes::between(AgentId from, AgentId to, Diagnostics& diagnostics) {
  const Node first = node_of_agent_[from], last = node_of_agent_[to];
  if (first == last) return 0;
  const auto [place, is_new] = known_.try_emplace({first, last}, 0);
  if (!is_new) return place->second;
  const auto& nodes = shortest_from(first)[last];
  if (!nodes) {
    diagnostics.add("/network/underlay/links",
                    fmt::format("a route from {} to {}, for the link from agent {} to agent {}", names_[first],
                                names_[last], from, to),
                    "none");
    return 0;
  }
  place->second = static_cast<std::uint32_t>(underlay_.routes.size());
  underlay_.routes.push_back(*over(*nodes));
  return place->second;
}

}  // namespace lagnet
