#include "sim/world/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace lagnet {

namespace {

auto ends(const LinkSpec& link) { return std::tuple(link.from, link.to); }

/// Every fault of the links, which are sorted by their ends; one line each.
std::string faults(AgentId agents, const std::vector<LinkSpec>& links) {
  std::string text;
  const auto complain = [&](const LinkSpec& link, const char* fault) {
    text += fmt::format("{}link {} -> {}: {}", text.empty() ? "" : "\n", link.from, link.to, fault);
  };
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkSpec& link = links[i];
    if (link.from >= agents || link.to >= agents) complain(link, "an end that is no agent");
    if (link.from == link.to) complain(link, "joins an agent to itself");
    if (i > 0 && ends(links[i - 1]) == ends(link)) complain(link, "given twice");
    if (link.latency < Duration()) complain(link, "a negative latency");
    if (!(link.bandwidth_bytes_per_s > 0)) complain(link, "a bandwidth that is not above 0");
    const LinkSpec opposite{.from = link.to, .to = link.from};
    if (!std::ranges::binary_search(links, ends(opposite), {}, ends)) complain(link, "no link the other way");
  }
  return text;
}

std::string faults(AgentId agents, const std::vector<Interface>& interfaces) {
  if (interfaces.empty()) return "";
  if (interfaces.size() != agents) return fmt::format("\n{} interfaces for {} agents", interfaces.size(), agents);
  std::string text;
  for (std::size_t agent = 0; agent < interfaces.size(); ++agent)
    if (!(interfaces[agent].up_bytes_per_s > 0) || !(interfaces[agent].down_bytes_per_s > 0))
      text += fmt::format("\ninterface of agent {}: a bandwidth that is not above 0", agent);
  return text;
}

}  // namespace

Network::Network(AgentId agents, std::vector<LinkSpec> links, std::vector<Interface> interfaces)
    : agents_(agents), interfaces_(std::move(interfaces)) {
  if (!std::ranges::is_sorted(links, {}, ends)) std::ranges::stable_sort(links, {}, ends);
  std::string text = faults(agents, links) + faults(agents, interfaces_);
  if (text.starts_with('\n')) text.erase(0, 1);
  if (!text.empty()) throw std::invalid_argument(text);
  const auto storage = std::make_shared<Storage>();
  auto& [first, made, neighbors, bandwidths] = *storage;
  first.assign(agents + 1, 0);
  for (const LinkSpec& link : links) ++first[link.from + 1];
  for (AgentId a = 0; a < agents; ++a) first[a + 1] += first[a];
  made.reserve(links.size());
  neighbors.reserve(links.size());
  for (const LinkSpec& link : links) {
    const double narrowest = std::min(
        {link.bandwidth_bytes_per_s, interface(link.from).up_bytes_per_s, interface(link.to).down_bytes_per_s});
    made.push_back({link.to, 0, link.latency, narrowest});
    neighbors.push_back(link.to);
    if (!interfaces_.empty()) bandwidths.push_back(link.bandwidth_bytes_per_s);
  }
  first_ = first.data();
  links_ = made.data();
  neighbors_ = neighbors.data();
  if (!interfaces_.empty()) bandwidths_ = bandwidths.data();
  for (AgentId a = 0; a < agents; ++a)
    for (LinkId id = first[a]; id < first[a + 1]; ++id)
      made[id].slot_at_receiver = find(made[id].to, a) - first[made[id].to];
  storage_ = storage;
}

AgentId Network::sender(LinkId id) const {
  return static_cast<AgentId>(std::upper_bound(first_, first_ + agents_ + 1, id) - first_ - 1);
}

}  // namespace lagnet
