#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// Says which links a round runs on if the topology changes from round to round. It is a function of the seed, the
/// round, and the time at which the round began: every agent gets the same answer, at any time.
class TopologySchedule {
 public:
  virtual ~TopologySchedule() = default;
  /// Which graph a round runs on that begins at that time; 0 if the graph does not depend on time.
  virtual std::uint32_t graph(Time) const { return 0; }
  /// Whether a round has the link; `graph` is graph() of the time at which it began. Both directions of a link agree,
  /// unless links go one way.
  virtual bool active(LinkId link, Round round, std::uint32_t graph) const = 0;
};

/// The graph of each round. A round begins when the first agent asks for it or for a later one. Memory grows with the
/// changes from one graph to another, not with the rounds.
class RoundGraphs {
 public:
  /// The graph of that round, from 0, for a query at time `now`; times of queries never decrease.
  std::uint32_t of(Round round, Time now, const TopologySchedule& schedule);

 private:
  struct Stretch {
    Round first = 0;  // it lasts to the next one's, or to newest_
    std::uint32_t graph = 0;
  };
  std::vector<Stretch> stretches_;
  Round newest_ = -1;  // the last round that has begun
};

/// The two ends of each link, the lower agent first.
std::vector<std::pair<AgentId, AgentId>> edges_of_links(const Network& network);

/// Runs on given graphs, each from its time until that of the next one. With a period, the sequence starts again after
/// it.
class TimedGraphs final : public TopologySchedule {
 public:
  struct Graph {
    Time from;
    std::vector<bool> active;  // by link
  };
  /// Times ascend from 0; a period is longer than the last of them, and 0 means no period. Otherwise InternalError.
  TimedGraphs(std::vector<Graph> graphs, Duration period);
  std::uint32_t graph(Time began) const override;
  bool active(LinkId link, Round, std::uint32_t graph) const override { return graphs_[graph].active[link]; }

 private:
  std::vector<Graph> graphs_;
  Duration period_;
};

/// Whose turn it is where some graphs take turns, each for as many rounds as the others.
struct GraphTurns {
  std::uint32_t graphs = 1;
  Round rounds_each = 1;
  /// Of the graphs from 0, floor((round - 1) / rounds_each) modulo their number. What agents send before round 1
  /// belongs to the first.
  std::uint32_t of(Round round) const {
    return static_cast<std::uint32_t>((std::max<Round>(round, 1) - 1) / rounds_each % graphs);
  }
};

/// Runs on given graphs in turn, by rounds alone.
class GraphsInTurn final : public TopologySchedule {
 public:
  /// `active`: by graph and link. InternalError for none, or for turns below 1.
  GraphsInTurn(std::vector<std::vector<bool>> active, Round rounds_each);
  bool active(LinkId link, Round round, std::uint32_t) const override { return active_[turns_.of(round)][link]; }

 private:
  std::vector<std::vector<bool>> active_;
  GraphTurns turns_;
};

/// Sends of a round that agents draw: each sends to `out` others. Every agent draws its own, from the others in
/// ascending order by the front of a Fisher-Yates shuffle; or, balanced, agent 0 draws an order of all agents by such a
/// shuffle from the back, and each sends to those that follow it there, in a circle. The rounds asked for last are
/// kept, as by RandomMatchings.
class RandomReceivers final : public TopologySchedule {
 public:
  /// A number of the round, in (0, 1), in place of the draws.
  using Given = std::function<double(AgentId agent, Round round, std::int64_t index)>;
  struct Rule {
    std::int64_t out = 1;  // at least 1, below the number of agents
    bool is_balanced = false;
  };
  /// The network has a link from every agent to every other; InternalError for a rule that cannot be.
  RandomReceivers(const Network& network, Rule rule, std::uint64_t seed, Given given = nullptr);
  bool active(LinkId link, Round round, std::uint32_t) const override;
  /// Whom each agent sends to (m x out), in the order in which they are drawn.
  std::vector<std::vector<AgentId>> receivers(Round round) const;

 private:
  struct Sends {
    Round round = -1;
    std::vector<bool> active;  // by link
  };
  AgentId agents_;
  Rule rule_;
  std::uint64_t seed_;
  Given given_;
  std::vector<LinkId> first_link_;      // by agent
  mutable std::array<Sends, 64> kept_;  // by round, modulo their number
};

/// Runs each round on every edge with a probability, independently. The draw of an edge does not depend on which other
/// edges exist.
class RandomEdges final : public TopologySchedule {
 public:
  RandomEdges(const Network& network, double probability, std::uint64_t seed)
      : ends_(edges_of_links(network)), probability_(probability), seed_(seed) {}
  bool active(LinkId link, Round round, std::uint32_t) const override;

 private:
  std::vector<std::pair<AgentId, AgentId>> ends_;  // by link
  double probability_;
  std::uint64_t seed_;
};

/// Runs each round on a maximal matching: every agent has at most one neighbor, and no edge could be added. The edges
/// are gone through in random order, and one is taken if both of its ends are still free. The matchings asked for last
/// are kept, so one such object belongs to one run at a time.
class RandomMatchings final : public TopologySchedule {
 public:
  RandomMatchings(const Network& network, std::uint64_t seed);
  bool active(LinkId link, Round round, std::uint32_t) const override;

 private:
  struct Matching {
    Round round = -1;
    std::vector<bool> active;  // by edge
  };
  void draw(Round round, Matching& matching) const;

  AgentId agents_;
  std::uint64_t seed_;
  std::vector<std::pair<AgentId, AgentId>> edges_;  // ascending
  std::vector<std::uint32_t> edge_of_;              // by link
  mutable std::array<Matching, 64> kept_;           // by round, modulo their number
};

}  // namespace lagnet
