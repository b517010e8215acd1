#include "sim/realtime/linked_processes.hpp"

#include <algorithm>
#include <set>

namespace lagnet {

std::vector<ProcessPair> linked_processes(const Network& network, const std::vector<std::uint32_t>& process_of) {
  std::set<ProcessPair> pairs;
  for (AgentId from = 0; from < network.agents(); ++from)
    for (const AgentId to : network.neighbors(from))
      if (process_of[from] != process_of[to]) pairs.insert(std::minmax(process_of[from], process_of[to]));
  return {pairs.begin(), pairs.end()};
}

std::vector<std::uint32_t> partners_of(std::uint32_t process, const std::vector<ProcessPair>& pairs) {
  std::vector<std::uint32_t> partners;
  for (const auto& [first, second] : pairs) {
    if (first == process) partners.push_back(second);
    if (second == process) partners.push_back(first);
  }
  std::ranges::sort(partners);
  return partners;
}

}  // namespace lagnet
