#include "sim/world/topology_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

RandomReceivers::RandomReceivers(const Network& network, Rule rule, std::uint64_t seed, Given given)
    : agents_(network.agents()), rule_(rule), seed_(seed), given_(std::move(given)) {
  LAGNET_CHECK(rule.out >= 1 && rule.out < agents_, "{} agents send to {} others each", agents_, rule.out);
  for (AgentId i = 0; i < agents_; ++i) {
    LAGNET_CHECK(network.neighbors(i).size() == agents_ - std::size_t{1}, "agent {} has no links to all others", i);
    first_link_.push_back(network.first_link(i));
  }
}

std::vector<std::vector<AgentId>> RandomReceivers::receivers(Round round) const {
  std::vector<std::vector<AgentId>> all(agents_);
  const auto numbers_of = [&](AgentId agent) {
    return [this, round, agent, index = std::int64_t{0},
            draws = Draws(seed_, Purpose{"epidemic"}, agent, round)](std::size_t bound) mutable {
      const double u = given_ ? given_(agent, round, index++) : draws.uniform();
      return static_cast<std::size_t>(u * static_cast<double>(bound));
    };
  };
  const auto out = static_cast<std::size_t>(rule_.out);
  if (rule_.is_balanced) {
    std::vector<AgentId> order(agents_);
    std::iota(order.begin(), order.end(), AgentId{0});
    auto below = numbers_of(0);
    for (std::size_t left = agents_; left >= 2; --left) std::swap(order[left - 1], order[below(left)]);
    for (std::size_t place = 0; place < agents_; ++place)
      for (std::size_t k = 1; k <= out; ++k) all[order[place]].push_back(order[(place + k) % agents_]);
    return all;
  }
  for (AgentId i = 0; i < agents_; ++i) {
    std::vector<AgentId> others;
    for (AgentId j = 0; j < agents_; ++j)
      if (j != i) others.push_back(j);
    auto below = numbers_of(i);
    for (std::size_t j = 0; j < out; ++j) std::swap(others[j], others[j + below(others.size() - j)]);
    all[i].assign(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(out));
  }
  return all;
}

bool RandomReceivers::active(LinkId link, Round round, std::uint32_t) const {
  Sends& sends = kept_[static_cast<std::size_t>(round) % kept_.size()];
  if (sends.round != round) {
    sends.round = round;
    sends.active.assign(static_cast<std::size_t>(agents_) * (agents_ - 1), false);
    const auto drawn = receivers(round);
    for (AgentId i = 0; i < agents_; ++i)  // its links are to the others, ascending
      for (const AgentId to : drawn[i]) sends.active[first_link_[i] + (to < i ? to : to - 1)] = true;
  }
  return sends.active[link];
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
