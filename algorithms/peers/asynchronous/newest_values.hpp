#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/agents/agent.hpp"

/// What has come from the neighbors, where the newest alone counts.
namespace lagnet {

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

}  // namespace lagnet
