#pragma once

#include <memory>
#include <string_view>

#include "scenarios/format/kinds/distributions.hpp"
#include "sim/world/clocks.hpp"

/// The kinds of clocks by which agents of asynchronous methods begin their updates.
namespace lagnet {

struct FreeClockOptions : NoOptions {
  static constexpr std::string_view kind = "free";
  static constexpr std::string_view summary =
      "an agent begins again when it is done; pairwise_gossip, which computes nothing, ticks as poisson with 1000 ms";
};

struct PoissonClockOptions {
  static constexpr std::string_view kind = "poisson";
  static constexpr std::string_view summary = "each agent ticks as a Poisson process of its own";
  double mean_ms = 0;
  static void fields(auto& self, auto& field) {
    field("mean_ms", self.mean_ms, "mean time from tick to tick, in ms: 100", within(1e-6, 9e12).required());
  }
};

struct PeriodicClockOptions {
  static constexpr std::string_view kind = "periodic";
  static constexpr std::string_view summary = "each agent ticks after every period";
  Choice<DistributionFamily> period_ms;
  static void fields(auto& self, auto& field) {
    field("period_ms", self.period_ms,
          "the period, in ms; a distribution is drawn for each agent: 100, or {\"kind\": \"uniform\", \"low\": 90, "
          "\"high\": 110}",
          any_value().required());
  }
};

/// Makes the clocks of all agents, from their number and the seed; null where they are free.
struct ClockFamily {
  static constexpr std::string_view key = "kind", called = "clock";
  using Kinds = Catalogue<std::shared_ptr<const Clocks>, AgentId, std::uint64_t>;
  static const Kinds& catalogue();
};

}  // namespace lagnet
