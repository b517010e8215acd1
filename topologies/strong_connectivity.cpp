#include "topologies/strong_connectivity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace lagnet {

namespace {

constexpr std::size_t listed_at_most = 8;  // components, and agents of each

/// Whether there is a way between agent 0 and each other one: from it over out(), to it over in().
std::vector<bool> found_from_0(const Topology& digraph, std::span<const AgentId> (Topology::*next)(AgentId) const) {
  std::vector<bool> found(static_cast<std::size_t>(digraph.agents()));
  found[0] = true;
  std::vector<AgentId> to_be_left{0};
  while (!to_be_left.empty()) {
    const AgentId here = to_be_left.back();
    to_be_left.pop_back();
    for (const AgentId there : (digraph.*next)(here)) {
      if (found[there]) continue;
      found[there] = true;
      to_be_left.push_back(there);
    }
  }
  return found;
}

/// "agents [4], [7, 8]": the components that were not found.
std::string those_not_found(const Topology& digraph, const std::vector<bool>& found) {
  std::vector<std::vector<AgentId>> members(static_cast<std::size_t>(digraph.components()));
  for (AgentId agent = 0; agent < found.size(); ++agent)
    if (!found[agent]) members[digraph.component_of()[agent]].push_back(agent);
  std::erase_if(members, [](const auto& component) { return component.empty(); });
  std::string text;
  for (std::size_t k = 0; k < std::min(members.size(), listed_at_most); ++k) {
    const std::vector<AgentId>& all = members[k];
    const std::vector<AgentId> first(all.begin(),
                                     all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), listed_at_most)));
    const std::string more = all.size() > first.size() ? fmt::format(" and {} more", all.size() - first.size()) : "";
    text += fmt::format("{}[{}{}]", k > 0 ? ", " : "", fmt::join(first, ", "), more);
  }
  if (members.size() > listed_at_most) text += fmt::format(" and {} more components", members.size() - listed_at_most);
  return text.empty() ? "" : "agents " + text;
}

}  // namespace

std::string why_not_strongly_connected(const Topology& digraph) {
  if (digraph.connected()) return "";
  const std::string cannot_reach = those_not_found(digraph, found_from_0(digraph, &Topology::in));
  const std::string not_reached = those_not_found(digraph, found_from_0(digraph, &Topology::out));
  std::string text = fmt::format("the digraph has {} strongly connected components", digraph.components());
  if (!cannot_reach.empty()) text += fmt::format(", {} cannot reach agent 0", cannot_reach);
  if (!not_reached.empty()) text += fmt::format(", agent 0 cannot reach {}", not_reached);
  return text + "; expected one component";
}

}  // namespace lagnet
