#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "sim/agents/agent.hpp"

namespace lagnet {

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
