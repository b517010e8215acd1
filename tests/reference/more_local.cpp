#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/reference/compressed_case.hpp"

namespace lagnet::reference {

namespace {

/// The first of these members that the case, or its parameters, have; null where there is none.
const Json* member_of(const Json& item, const std::vector<std::string>& keys) {
  for (const Json* part : {&item, item.contains("parameters") ? &item["parameters"] : &item})
    for (const std::string& key : keys)
      if (part->contains(key)) return &(*part)[key];
  return nullptr;
}

std::vector<std::string> keys_of_lost() { return {"lost", "losses", "lost_messages"}; }

Json lt_admm_section(const Json& item) { return section_of(item, "lt_admm", keys_of_lost()); }

const Json* listed_walk(const Json& item) {
  const Json* const walk = member_of(item, {"walk", "visits"});
  const bool is_rule = walk && walk->is_string() && !item.contains("walk") && !item.contains("visits");
  return is_rule ? nullptr : walk;
}

/// A list of agents is no option.
Json walkman_section(const Json& item) {
  Json section = section_of(item, "walkman");
  if (listed_walk(item)) section["walk"] = "random";
  return section;
}

std::pair<AgentId, AgentId> arc_of(const Json& pair) { return {pair.at(0).get<AgentId>(), pair.at(1).get<AgentId>()}; }

}  // namespace

const std::vector<CompressedKind>& more_local_kinds() {
  static const std::vector<CompressedKind> all{{.name = "k_gt"},
                                               {.name = "led"},
                                               {.name = "lt_admm", .section = lt_admm_section},
                                               {.name = "relay_sgd"},
                                               {.name = "walkman", .counts_visits = true, .section = walkman_section}};
  return all;
}

std::vector<AgentId> walk_listed(const Json& item) {
  const Json* const walk = listed_walk(item);
  if (walk && !walk->is_array()) throw std::runtime_error("not understood: a walk " + walk->dump());
  return walk ? walk->get<std::vector<AgentId>>() : std::vector<AgentId>();
}

CompressionDraws::Given walk_of(const Json& item, const std::vector<LinkSpec>& links) {
  const std::vector<AgentId> walk = walk_listed(item);
  if (walk.empty() || item.contains("seed")) return nullptr;  // with a seed the walk is that of its draws
  std::map<AgentId, std::vector<AgentId>> neighbors;
  for (const LinkSpec& link : links) neighbors[link.from].push_back(link.to);
  for (auto& [agent, others] : neighbors) std::ranges::sort(others);
  return [walk, neighbors](AgentId agent, Round visit, Index) {
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

LostMessages lost_messages(const Json& item) {
  const Json* const given = member_of(item, keys_of_lost());
  LostMessages lost;
  if (!given) return lost;
  const auto refuse = [&] {
    throw std::runtime_error("not understood: messages lost = " + given->dump().substr(0, 200));
  };
  if (given->is_object()) {  // by round
    for (const auto& [round, pairs] : given->items())
      for (const Json& pair : pairs) lost[std::stoll(round)].insert(arc_of(pair));
  } else if (given->is_array()) {
    Round round = 0;
    for (const Json& one : *given) {
      ++round;
      if (one.is_object())
        lost[one.at("round").get<Round>()].insert({one.at("from").get<AgentId>(), one.at("to").get<AgentId>()});
      else if (one.is_array() && one.size() == 3 && one[0].is_number())  // [round, from, to]
        lost[one[0].get<Round>()].insert({one[1].get<AgentId>(), one[2].get<AgentId>()});
      else if (one.is_array() && (one.empty() || one[0].is_array()))  // those of round 1, of round 2, ..
        for (const Json& pair : one) lost[round].insert(arc_of(pair));
      else
        refuse();
    }
  } else {
    refuse();
  }
  return lost;
}

void add_losses(const Json& item, CompressedCase& made) {
  const LostMessages lost = lost_messages(item);
  if (lost.empty()) return;
  const Network network(static_cast<AgentId>(made.given.network.agents), made.links);
  const auto rounds = static_cast<std::size_t>(made.given.rounds);
  std::vector<std::vector<bool>> active(rounds, std::vector<bool>(network.links(), true));
  for (const auto& [round, pairs] : lost)
    for (const auto& [from, to] : pairs)
      if (round >= 1 && round <= made.given.rounds) {
        const LinkId link = network.find(from, to);
        if (link == no_link) throw std::runtime_error("not understood: a message lost where there is no link");
        active[static_cast<std::size_t>(round - 1)][link] = false;
      }
  made.model.topology = std::make_shared<GraphsInTurn>(std::move(active), 1);
}

}  // namespace lagnet::reference
