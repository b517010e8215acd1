#include <algorithm>
#include <vector>

#include "scenarios/format/kinds/clock_kinds.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

using MadeClocks = std::shared_ptr<const Clocks>;

MadeClocks periodic(const PeriodicClockOptions& options, AgentId agents, std::uint64_t seed) {
  std::vector<Duration> periods;
  for (AgentId a = 0; a < agents; ++a)
    periods.push_back(std::max(Duration::milliseconds(options.period_ms.make(Draws(seed, Purpose{"clock_period"}, a))),
                               Duration::nanoseconds(1)));
  return std::make_shared<const Clocks>(Clocks::periodic(std::move(periods)));
}

}  // namespace

const ClockFamily::Kinds& ClockFamily::catalogue() {
  static const Kinds all(
      entry<FreeClockOptions>([](const FreeClockOptions&, AgentId, std::uint64_t) -> MadeClocks { return nullptr; }),
      entry<PoissonClockOptions>([](const PoissonClockOptions& options, AgentId, std::uint64_t) -> MadeClocks {
        const Duration mean = std::max(Duration::milliseconds(options.mean_ms), Duration::nanoseconds(1));
        return std::make_shared<const Clocks>(Clocks::poisson(mean));
      }),
      entry<PeriodicClockOptions>(periodic));
  return all;
}

}  // namespace lagnet
