#include "tools/console/topology_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "topologies/layout.hpp"

namespace lagnet::tools {

namespace {

/// Calls use(from, to, is_one_way) once for each two agents that are linked.
template <class Use>
void for_each_link(const Topology& topology, const Use& use) {
  for (const Edge& edge : topology.edges()) {
    const bool has_opposite = !topology.is_directed() || topology.sends(edge.to, edge.from);
    if (edge.from < edge.to || !has_opposite) use(edge.from, edge.to, !has_opposite);
  }
}

}  // namespace

std::string svg_picture(const Topology& topology) {
  constexpr double size = 600, margin = 20;
  const std::vector<Point> places = layout(topology);
  const auto x = [&](AgentId agent) { return margin + places[agent].x * (size - 2 * margin); };
  const auto y = [&](AgentId agent) { return margin + (1 - places[agent].y) * (size - 2 * margin); };
  const bool has_numbers = topology.agents() <= 100;
  const int radius = has_numbers ? 9 : 3;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{} agents, {} {}\" width=\"{}\" "
      "height=\"{}\" font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n",
      topology.agents(), topology.edges().size(), topology.is_directed() ? "arcs" : "edges", size, size);
  if (topology.is_directed())
    svg +=
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
        "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#888888\"/></marker></defs>\n";
  svg += "<g stroke=\"#888888\" stroke-opacity=\"0.6\">\n";
  for_each_link(topology, [&](AgentId from, AgentId to, bool is_one_way) {
    // An arrow ends at the edge of the agent that it leads to.
    const double length = std::max(1.0, std::hypot(x(to) - x(from), y(to) - y(from)));
    const double share = is_one_way ? std::max(0.0, 1 - radius / length) : 1;
    svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", x(from), y(from),
                       x(from) + share * (x(to) - x(from)), y(from) + share * (y(to) - y(from)),
                       is_one_way ? " marker-end=\"url(#arrow)\"" : "");
  });
  svg += "</g>\n";
  for (AgentId agent = 0; agent < topology.agents(); ++agent) {
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"#0b5fa5\"/>\n", x(agent), y(agent), radius);
    if (has_numbers)
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#ffffff\">{}</text>\n", x(agent), y(agent) + 4, agent);
  }
  return svg + "</svg>\n";
}

}  // namespace lagnet::tools
