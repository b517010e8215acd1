#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "tests/reference/compressed_case.hpp"

namespace lagnet::reference {

const std::vector<CompressedKind>& more_local_kinds() {
  static const std::vector<CompressedKind> all{{.name = "k_gt"},
                                               {.name = "led"},
                                               {.name = "lt_admm"},
                                               {.name = "relay_sgd"},
                                               {.name = "walkman", .counts_visits = true}};
  return all;
}

CompressionDraws::Given walk_of(const Json& item, const std::vector<LinkSpec>& links) {
  const char* const key = item.contains("walk") ? "walk" : "visits";
  if (!item.contains(key)) return nullptr;
  if (!item[key].is_array()) throw std::runtime_error(std::string("not understood: ") + key + " = " + item[key].dump());
  std::map<AgentId, std::vector<AgentId>> neighbors;
  for (const LinkSpec& link : links) neighbors[link.from].push_back(link.to);
  for (auto& [agent, others] : neighbors) std::ranges::sort(others);
  return [walk = item[key].get<std::vector<AgentId>>(), neighbors](AgentId agent, Round visit, Index) {
    const auto k = static_cast<std::size_t>(visit);
    if (k >= walk.size()) return 0.5;  // the last visits of a run are not compared
    const std::vector<AgentId>& others = neighbors.at(agent);
    const auto place = std::ranges::find(others, walk[k]) - others.begin();
    if (walk[k - 1] != agent || place == std::ssize(others))
      throw std::runtime_error("not understood: a walk from agent " + std::to_string(agent) + " to " +
                               std::to_string(walk[k]));
    return (static_cast<double>(place) + 0.5) / static_cast<double>(others.size());
  };
}

}  // namespace lagnet::reference
