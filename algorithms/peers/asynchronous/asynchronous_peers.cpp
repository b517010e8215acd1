#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"

#include <fmt/format.h>

#include "sim/base/errors.hpp"

namespace lagnet {

Time Ticker::next(Agent& me) {
  if (!clocks_) return me.now();
  std::int64_t missed = 0;
  for (; tick_ < me.now(); ++missed) advance(me);
  if (missed > 0) me.missed(missed);
  return tick_;
}

void check_time_passes(const Agent& me, Time began) {
  if (me.clocks() || me.now() > began) return;
  throw WorldLimit(fmt::format(
      "agent {} makes updates that take no time, one after the other for ever; compute.update_ms, a speed or "
      "compute.clock gives them some",
      me.id()));
}

}  // namespace lagnet
