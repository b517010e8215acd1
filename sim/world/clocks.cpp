#include "sim/world/clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/base/draws.hpp"

namespace lagnet {

Clocks::Clocks(Duration mean, std::vector<Duration> periods) : mean_(mean), periods_(std::move(periods)) {
  const bool is_periodic = !periods_.empty();
  const Duration shortest = is_periodic ? *std::ranges::min_element(periods_) : mean_;
  if (shortest <= Duration())
    throw std::invalid_argument(fmt::format("expected a clock's mean or periods above 0, found {} ns", shortest.ns()));
}

Duration Clocks::gap(std::uint64_t seed, AgentId agent, std::int64_t n) const {
  if (!periods_.empty()) return periods_[agent];
  const double drawn = Draws(seed, Purpose{"clock"}, agent, n).exponential();
  return std::max(Duration::seconds(mean_.in_seconds() * drawn), Duration::nanoseconds(1));
}

}  // namespace lagnet
