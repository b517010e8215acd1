#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/peers/bases/peers.hpp"
#include "sim/agents/agent.hpp"
#include "sim/base/options.hpp"
#include "sim/base/remark.hpp"

namespace lagnet {

/// Peers that hold samples and have no rounds. All start at the same point.
class AsynchronousPeers : public PeerAlgorithm {
 public:
  std::vector<Vector> first_report(AgentId agent) const override {
    return given().timing_only ? PeerAlgorithm::first_report(agent) : std::vector<Vector>{start()};
  }

 protected:
  using PeerAlgorithm::PeerAlgorithm;

  /// Those whose limit would be another one are refused crashes that take an agent's state.
  bool forgets_starts() const override { return true; }
  /// theta_0 (d).
  Vector start() const { return given().start.size() > 0 ? given().start : Vector(Vector::Zero(d())); }
  StateVector start(const Agent& me) const { return me.timing_only() ? me.vector(d()) : StateVector(start()); }
};

/// Whom an agent asks next.
enum class NeighborChoice { random, cyclic };
constexpr auto spellings(NeighborChoice) {
  return std::array{Spelling{NeighborChoice::random, "random"}, Spelling{NeighborChoice::cyclic, "cyclic"}};
}
constexpr const char* neighbor_choice_text =
    "whom an agent asks: random, each neighbor alike; or cyclic, one after the other by their numbers";

/// The messages of an exchange of two agents.
constexpr MessageTag request_tag = 1, reply_tag = 2, refusal_tag = 3;

/// What a user should know where agents are away, and others wait for what they answer.
inline Remark absent_neighbors() {
  return {"absent_neighbors_silent",
          {},
          "agents that are away lose what comes meanwhile, and who waits for their answer waits for ever: "
          "network.retransmit "
          "sends it again"};
}

/// The place among neighbors() of the one for an agent's n-th exchange; it has one or more.
inline std::size_t chosen_neighbor(NeighborChoice choice, const Agent& me, std::int64_t n) {
  const auto degree = static_cast<std::uint64_t>(me.degree());
  if (choice == NeighborChoice::cyclic) return static_cast<std::uint64_t>(n) % degree;
  return me.draws(Purpose{"neighbor"}, n).below(degree);
}

/// What has come from the neighbors, where the newest alone counts.
///
/// Of each neighbor, in the order of neighbors(), the message with the largest count, which Message::round has: what
/// comes late or twice is dropped. A neighbor that a crash took what it knew counts anew: what it sent before is late.
class NewestValues {
 public:
  /// -1 is the count of a neighbor of which nothing has come.
  explicit NewestValues(const Agent& me)
      : bodies_(me.neighbors().size()), counts_(bodies_.size(), -1), lives_(bodies_.size(), 1) {}

  /// Takes what is there, and hands on what is new: use(place of the neighbor, body).
  template <class Use>
  void drain(Agent& me, Use&& use) {
    for (Message& m : me.drain()) {
      const auto all = me.neighbors();
      const auto k = static_cast<std::size_t>(std::ranges::lower_bound(all, m.from) - all.begin());
      const auto later_life = static_cast<std::int8_t>(m.life - lives_[k]);  // the count of lives begins again
      if (later_life < 0 || (later_life == 0 && m.round <= counts_[k])) continue;
      lives_[k] = m.life;
      counts_[k] = m.round;
      bodies_[k] = std::move(m.body);
      use(k, bodies_[k]);
    }
  }
  bool has(std::size_t k) const { return counts_[k] >= 0; }
  /// Tells what the present update uses of each neighbor, new or not; where nothing has come, its start, of count 0.
  void tell(Agent& me) const {
    for (std::size_t k = 0; k < counts_.size(); ++k) me.used_report(me.neighbors()[k], std::max<Round>(counts_[k], 0));
  }

 private:
  std::vector<Payload> bodies_;
  std::vector<Round> counts_;
  std::vector<std::uint8_t> lives_;  // of the neighbors, in which they sent these
};

/// The ticks of an agent's clock, one after the other. Without a clock it is always time.
class Ticker {
 public:
  /// The scenario's clocks, else `otherwise`, which may be null: no clock.
  Ticker(const Agent& me, std::shared_ptr<const Clocks> otherwise)
      : otherwise_(std::move(otherwise)), clocks_(me.clocks() ? me.clocks() : otherwise_.get()) {
    if (clocks_) advance(me);
  }
  /// When the next update may begin: the first tick that is not before now. Those that have passed are missed.
  Time next(Agent& me);
  /// The update of the present tick begins.
  void take(const Agent& me) {
    if (clocks_) advance(me);
  }

 private:
  void advance(const Agent& me) { tick_ = saturated(tick_, clocks_->gap(me.seed(), me.id(), gaps_++)); }

  std::shared_ptr<const Clocks> otherwise_;
  const Clocks* clocks_;
  Time tick_;
  std::int64_t gaps_ = 0;
};

/// Throws WorldLimit where an update that began then took no time: without a clock the next one would begin at once,
/// and so would all others.
void check_time_passes(const Agent& me, Time began);

}  // namespace lagnet
