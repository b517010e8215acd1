#include "scenarios/results/resource_names.hpp"

#include <fmt/format.h>

namespace lagnet {

std::string name_of_agent(const Experiment& experiment, AgentId agent) {
  const std::vector<std::string>& names = experiment.topology->notes().names;
  if (!names.empty()) return names[agent];
  return experiment.traits.server && agent == 0 ? "server" : fmt::format("agent {}", agent);
}

std::string name_of_resource(const Experiment& experiment, ResourceId resource) {
  const Network& network = *experiment.network;
  if (resource < network.down(0)) return name_of_agent(experiment, resource) + "'s up-link";
  if (resource < network.over(0)) return name_of_agent(experiment, resource - network.down(0)) + "'s down-link";
  if (network.is_medium(resource)) return experiment.scenario.network.media[resource - network.medium(0)].name;
  if (resource >= network.inner(0)) return network.inner_name(resource);
  const LinkId link = resource - network.over(0);
  const AgentId from = network.sender(link), to = network.link(link).to;
  const std::vector<std::string>& names = experiment.topology->notes().names;
  return names.empty() ? fmt::format("link {} -> {}", from, to) : fmt::format("link {} -> {}", names[from], names[to]);
}

}  // namespace lagnet
