#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/fault_options.hpp"
#include "scenarios/format/kinds/name_or_number.hpp"
#include "scenarios/format/site_options.hpp"
#include "scenarios/format/underlay_options.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "sim/base/remark.hpp"
#include "sim/world/network.hpp"
#include "topologies/graph_notes.hpp"
#include "topologies/routes.hpp"

namespace lagnet {

/// Null if nothing is limited.
std::shared_ptr<const QueueLimit> queue_limit(const std::optional<QueueOptions>& options);

/// The same with the nodes and links of the file that they name, if they name one. Throws Diagnosed; what was read is
/// added to the remarks.
UnderlayOptions with_file(UnderlayOptions options, Remarks* remarks);

/// Where the nodes are for which the file has Latitude and Longitude, by their names and numbers. Throws Diagnosed.
std::map<NameOrNumber, Place> places_of_nodes(const UnderlayOptions& options);

/// The inner links of a scenario and the routes over them. The route between two nodes is the one of least latency at
/// time 0; of several the one of fewest links, then the first by the numbers of its nodes.
class UnderlayRoutes {
 public:
  /// `site_of` is the site of each agent. Problems are added below /network.
  UnderlayRoutes(const UnderlayOptions& options, const std::vector<SiteOptions>& sites,
                 const std::vector<SiteId>& site_of, AgentId agents, Diagnostics& diagnostics);

  /// The number of the route from one agent to another in underlay().routes. Without one the problem is added.
  std::uint32_t between(AgentId from, AgentId to, Diagnostics& diagnostics);
  /// Sets when the inner links of outages are off.
  void switch_off(const std::vector<OutageOptions>& outages, Diagnostics& diagnostics);
  /// Adds the routes of what is on, after all calls of the others.
  void go_around();
  const Underlay& underlay() const { return underlay_; }

 private:
  using Node = std::uint32_t;
  struct Way {  // one direction of a link
    Node from, to;
    std::uint32_t link;
    Duration latency;
  };
  /// Pointers are those below /network.
  std::optional<Node> node(const std::string& name, const std::string& pointer, Diagnostics& diagnostics) const;
  Node node_of(const NameOrNumber& name, const std::string& pointer, Diagnostics& diagnostics) const;  // 0 if unknown
  void add_links(const std::vector<InnerLinkOptions>& links, Diagnostics& diagnostics);
  void place_agents(const UnderlayOptions& options, AgentId agents, Diagnostics& diagnostics);
  void place_sites(const std::vector<SiteOptions>& sites, const std::vector<SiteId>& site_of, Diagnostics& diagnostics);
  void add_stated(const std::vector<RouteOptions>& routes, Diagnostics& diagnostics);
  using IsOff = std::vector<bool>;  // of each inner link; empty: all are on
  std::optional<std::vector<std::uint32_t>> over(const std::vector<Node>& nodes, const IsOff& is_off = {}) const;
  std::vector<std::optional<std::vector<Node>>> shortest(Node from, const IsOff& is_off = {}) const;
  std::vector<std::uint32_t> routes_without(const IsOff& is_off);
  std::uint32_t number_of_detour(const std::vector<std::uint32_t>& links);
  const std::vector<std::optional<std::vector<Node>>>& shortest_from(Node from);

  std::vector<std::string> names_;
  std::vector<std::string> link_names_;  // of each of underlay().links
  std::vector<Way> ways_;                // by first node, then second, latency and order in the scenario
  std::vector<Node> node_of_agent_;
  std::map<std::pair<Node, Node>, std::uint32_t> known_;  // routes between nodes
  std::map<Node, std::vector<std::optional<std::vector<Node>>>> shortest_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> detours_;  // the routes around something, by their links
  Underlay underlay_;
};

}  // namespace lagnet
