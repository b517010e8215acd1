#include "scenarios/results/resource_names.hpp"

#include <fmt/format.h>

namespace lagnet {

std::string name_of_agent(const std::vector<std::string>& nodes, bool has_server, AgentId agent) {
  if (!nodes.empty()) return nodes[agent];
  return has_server && agent == 0 ? "server" : fmt::format("agent {}", agent);
}

std::string name_of_agent(const Experiment& experiment, AgentId agent) {
  return name_of_agent(experiment.topology->notes().names, experiment.traits.server, agent);
}

std::string name_of_resource(const Network& network, const std::vector<std::string>& nodes, bool has_server,
                             ResourceId resource) {
  if (resource < network.down(0)) return name_of_agent(nodes, has_server, resource) + "'s up-link";
  if (resource < network.over(0)) return name_of_agent(nodes, has_server, resource - network.down(0)) + "'s down-link";
  if (resource >= network.inner(0)) return network.inner_name(resource);
  const LinkId link = resource - network.over(0);
  const AgentId from = network.sender(link), to = network.link(link).to;
  return nodes.empty() ? fmt::format("link {} -> {}", from, to) : fmt::format("link {} -> {}", nodes[from], nodes[to]);
}

std::string name_of_resource(const Experiment& experiment, ResourceId resource) {
  return name_of_resource(*experiment.network, experiment.topology->notes().names, experiment.traits.server, resource);
}

std::string_view kind_of_resource(const Network& network, ResourceId resource) {
  if (resource < network.down(0)) return "up";
  if (resource < network.over(0)) return "down";
  if (network.is_medium(resource)) return "medium";
  return resource < network.inner(0) ? "link" : "inner_link";
}

}  // namespace lagnet
