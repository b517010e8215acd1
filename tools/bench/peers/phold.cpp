#include "tools/bench/peers/phold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sim/base/draws.hpp"

namespace lagnet::bench {

namespace {

constexpr std::uint32_t links_each_side = 4;
constexpr std::size_t choices_drawn = std::size_t{1} << 16;

}  // namespace

Phold::Phold(AgentId agents) : agents_(agents) {
  if (agents == 2) {
    distances_ = {1};
  } else {
    const std::vector<std::uint32_t> drawn = Draws(1, Purpose{"distances"}).permutation((agents - 1) / 2);
    for (std::size_t k = 0; k < std::min<std::size_t>(links_each_side, drawn.size()); ++k) {
      distances_.push_back(drawn[k] + 1);
      distances_.push_back(agents - 1 - drawn[k]);
    }
  }
  Draws latency(1, Purpose{"latency"});
  for (std::size_t link = 0; link < std::size_t{agents} * degree(); ++link)
    latencies_.push_back(Duration::seconds(0.1 + 0.9 * latency.exponential()));
  Draws choice(1, Purpose{"choice"});
  for (std::size_t k = 0; k < choices_drawn; ++k) choices_.push_back(static_cast<std::uint8_t>(choice.below(degree())));
}

std::optional<PholdArguments> PholdArguments::read(int argc, char** argv) {
  if (argc >= 4) {
    const PholdArguments read{.agents = static_cast<AgentId>(std::strtoul(argv[1], nullptr, 10)),
                              .population = std::strtoll(argv[2], nullptr, 10),
                              .arrivals = std::strtoll(argv[3], nullptr, 10)};
    if (read.agents >= 2 && read.population >= 1 && read.arrivals >= 1) return read;
  }
  fmt::print(stderr, "expected AGENTS POPULATION ARRIVALS: 2 agents or more, 1 message or more, 1 arrival or more\n");
  return {};
}

}  // namespace lagnet::bench
