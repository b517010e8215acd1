#include "sim/world/topology_schedule.hpp"

#include <algorithm>

#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

std::uint32_t RoundGraphs::of(Round round, Time now, const TopologySchedule& schedule) {
  LAGNET_CHECK(round >= 0, "there is no round {}", round);
  if (round > newest_) {
    const std::uint32_t graph = schedule.graph(now);
    if (stretches_.empty() || stretches_.back().graph != graph) stretches_.push_back({newest_ + 1, graph});
    newest_ = round;
    return graph;
  }
  if (round >= stretches_.back().first) return stretches_.back().graph;
  const auto next = std::ranges::upper_bound(stretches_, round, {}, &Stretch::first);
  return std::prev(next)->graph;
}

std::vector<std::pair<AgentId, AgentId>> edges_of_links(const Network& network) {
  std::vector<std::pair<AgentId, AgentId>> ends;
  for (AgentId from = 0; from < network.agents(); ++from)
    for (const AgentId to : network.neighbors(from)) ends.emplace_back(std::min(from, to), std::max(from, to));
  return ends;
}

TimedGraphs::TimedGraphs(std::vector<Graph> graphs, Duration period) : graphs_(std::move(graphs)), period_(period) {
  const bool ascend = std::ranges::adjacent_find(graphs_, std::ranges::greater_equal(), &Graph::from) == graphs_.end();
  LAGNET_CHECK(!graphs_.empty() && graphs_[0].from == Time() && ascend, "the times of {} graphs do not ascend from 0",
               graphs_.size());
  LAGNET_CHECK(period_ == Duration() || period_ > graphs_.back().from - Time(), "a period of {} ns ends too early",
               period_.ns());
}

std::uint32_t TimedGraphs::graph(Time began) const {
  const Time in_period = period_ == Duration() ? began : Time::nanoseconds(began.ns() % period_.ns());
  const auto next = std::ranges::upper_bound(graphs_, in_period, {}, &Graph::from);
  return static_cast<std::uint32_t>(next - graphs_.begin() - 1);
}

GraphsInTurn::GraphsInTurn(std::vector<std::vector<bool>> active, Round rounds_each)
    : active_(std::move(active)), turns_{static_cast<std::uint32_t>(active_.size()), rounds_each} {
  LAGNET_CHECK(!active_.empty() && rounds_each >= 1, "{} graphs take turns of {} rounds", active_.size(), rounds_each);
}

bool RandomEdges::active(LinkId link, Round round, std::uint32_t) const {
  const auto [low, high] = ends_[link];
  return Draws::between(seed_, Purpose{"active_edge"}, low, high, round, 0).bernoulli(probability_);
}

RandomMatchings::RandomMatchings(const Network& network, std::uint64_t seed)
    : agents_(network.agents()), seed_(seed), edges_(edges_of_links(network)) {
  const auto by_link = edges_;
  std::ranges::sort(edges_);
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  for (const auto& ends : by_link)
    edge_of_.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(edges_, ends) - edges_.begin()));
}

bool RandomMatchings::active(LinkId link, Round round, std::uint32_t) const {
  Matching& matching = kept_[static_cast<std::size_t>(round) % kept_.size()];
  if (matching.round != round) draw(round, matching);
  return matching.active[edge_of_[link]];
}

void RandomMatchings::draw(Round round, Matching& matching) const {
  matching.round = round;
  matching.active.assign(edges_.size(), false);
  std::vector<bool> taken(agents_);
  Draws draws(seed_, Purpose{"matching"}, 0, round);
  for (const std::uint32_t edge : draws.permutation(static_cast<std::uint32_t>(edges_.size()))) {
    const auto [low, high] = edges_[edge];
    if (taken[low] || taken[high]) continue;
    matching.active[edge] = taken[low] = taken[high] = true;
  }
}

}  // namespace lagnet
