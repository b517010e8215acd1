#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/engine/simulation.hpp"

/// Random worlds of every kind that the rules allow, each a function of its seed. Times are some microseconds, so that
/// what happens by the clock (windows, timeouts, crashes) falls into the runs, and many of them are equal.
namespace lagnet::test {

enum class Style {
  gossip,  // all agents exchange with their neighbors, round after round
  rounds,  // agent 0 asks a cohort and collects the answers
  mail,    // letters at random times, answers, collections with deadlines
  mixed    // gossip and mail at once
};

/// Links that are there in some rounds only; drawn for each pair and round.
class RoundLinks final : public TopologySchedule {
 public:
  RoundLinks(std::uint64_t seed, const Network& network, double probability);
  bool active(LinkId link, Round round, std::uint32_t graph) const override;

 private:
  std::uint64_t seed_;
  double probability_;
  std::vector<std::pair<AgentId, AgentId>> ends_;  // of each link, the lower agent first
};

struct NetworkWorld {
  explicit NetworkWorld(std::uint64_t seed, unsigned threads = 1);

  Style style = Style::gossip;
  std::vector<LinkSpec> links;
  std::vector<Interface> interfaces;
  AgentId agents = 0;
  ComputeSpec compute;
  SimulationOptions options;
  Round rounds = 0;
  Index size = 0;     // of the bodies of exchanges
  int exchanges = 0;  // in each round
  std::shared_ptr<const RoundLinks> topology;

  bool one_way = false;         // some links have no opposite
  bool delays = false;          // faults delay some messages
  bool reorders = false;        // and let others overtake them, whatever the model says
  bool loses = false;           // a transmission may be lost
  bool loses_for_good = false;  // and nothing that arrives may follow
  bool forgets = false;         // a crash may take an agent's state

  Network network() const {
    return Network(agents, links, interfaces, one_way ? LinkDirections::any : LinkDirections::both);
  }
  /// Whether an agent may wait for ever for a message that never comes.
  bool may_stall() const;
  bool gossips() const { return style == Style::gossip || style == Style::mixed; }
  /// Whether each exchange has all messages, and no agent waits for more.
  bool strict() const {
    return options.model.missing.kind == MissingNeighborKind::wait && !options.model.topology && !forgets;
  }

 private:
  void draw_links(Draws draws);
  void draw_directions(Draws draws);
  void draw_lossy_links(Draws draws);
  void draw_faults(Draws draws);
  void draw_delays(Draws& draws);
  void draw_losses(Draws& draws);
  void draw_windows(Draws& draws);
  void draw_availability(Draws draws);
  void draw_policy(Draws draws);
  void draw_compute(Draws draws);

  bool lasts_ = false;  // what loses messages may go on for ever
};

}  // namespace lagnet::test
