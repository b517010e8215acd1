#include "scenarios/format/kinds/name_or_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/json/schema.hpp"
#include "scenarios/words/words.hpp"
#include "topologies/graph_notes.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

void NameOrNumber::read(const Json& value, const std::string& pointer, Diagnostics& diagnostics) {
  if (!value.is_string()) {
    name.clear();
    return read_value(value, number, at_least(0), pointer, diagnostics);
  }
  if (value.get<std::string>().empty())
    return diagnostics.add(pointer, "an agent's number, or the name of a node", "\"\"");
  name = value.get<std::string>();
}

Json NameOrNumber::write() const { return name.empty() ? Json(number) : Json(name); }

Json NameOrNumber::schema(SchemaBuilder&) {
  return Json{
      {"anyOf", Json::array({number_schema("integer", at_least(0)), Json{{"type", "string"}, {"minLength", 1}}})}};
}

AgentNames::AgentNames(const Topology& topology)
    : agents_(static_cast<AgentId>(topology.agents())), names_(topology.notes().names) {
  for (std::size_t agent = 0; agent < names_.size(); ++agent)
    sorted_.emplace_back(names_[agent], static_cast<AgentId>(agent));
  std::ranges::sort(sorted_);
}

std::optional<AgentId> AgentNames::find(const NameOrNumber& agent) const {
  if (agent.name.empty())
    return agent.number < std::int64_t{agents_} ? std::optional(static_cast<AgentId>(agent.number)) : std::nullopt;
  const auto found = std::ranges::lower_bound(sorted_, agent.name, {}, &std::pair<std::string, AgentId>::first);
  return found != sorted_.end() && found->first == agent.name ? std::optional(found->second) : std::nullopt;
}

std::string AgentNames::expected(const NameOrNumber& agent) const {
  if (agent.name.empty()) return fmt::format("agents below {}", agents_);
  if (names_.empty()) return fmt::format("agents by their numbers, since this topology has no names of nodes");
  return fmt::format("the name of a node{}", did_you_mean(agent.name, names_));
}

std::string shown(const NameOrNumber& agent) { return shown(agent.write()); }

std::string first_agents(const std::vector<AgentId>& agents) {
  std::string text = fmt::format("agent {}", agents.front());
  if (agents.size() > 1) text += " and " + counted(agents.size() - 1, "other");
  return text;
}

}  // namespace lagnet
