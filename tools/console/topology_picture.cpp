#include "tools/console/topology_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lagnet::tools {

std::string picture(const Topology& topology) {
  constexpr std::size_t side_max = 32;
  const auto agents = static_cast<std::size_t>(topology.agents());
  const std::size_t group = (agents + side_max - 1) / side_max, side = (agents + group - 1) / group;
  std::vector<std::size_t> count(side * side, 0);
  for (const Edge& edge : topology.edges()) {
    const std::size_t a = edge.from / group, b = edge.to / group;
    ++count[a * side + b];
    ++count[b * side + a];
  }
  // From no edge to every possible one.
  constexpr std::string_view shades = ".:-=+*%#";
  const double full = static_cast<double>(group * group);
  std::string text = group == 1
                         ? "adjacency: # an edge, . none\n"
                         : fmt::format("adjacency of groups of {} agents: from . (no edge) to # (every edge)\n", group);
  for (std::size_t a = 0; a < side; ++a) {
    text += fmt::format("{:>6} ", a * group);
    for (std::size_t b = 0; b < side; ++b) {
      const double share = std::min(1.0, static_cast<double>(count[a * side + b]) / full);
      const auto level =
          share == 0 ? 0 : 1 + static_cast<std::size_t>(share * static_cast<double>(shades.size() - 2) + 0.5);
      text += a == b && group == 1 ? '\\' : shades[std::min(level, shades.size() - 1)];
      text += ' ';
    }
    text += '\n';
  }
  return text;
}

}  // namespace lagnet::tools
