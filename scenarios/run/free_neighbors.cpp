#include "scenarios/run/free_neighbors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lagnet {

namespace {

/// How much longer what an agent sent would have taken through one interface as fast as its first link than over all of
/// its links at once, in s.
double saved_seconds(const Network& network, const Ledger& ledger, AgentId agent) {
  const auto degree = static_cast<double>(network.links_of(agent).size());
  const double sent = static_cast<double>(ledger.agent(agent).bytes_sent);
  return sent * (1 - 1 / degree) / network.bandwidth_bytes_per_s(network.first_link(agent));
}

}  // namespace

std::optional<Remark> free_neighbors(const Network& network, Sharing sharing, const Ledger& ledger, Time end) {
  std::size_t most = 0;
  double saved = 0;
  for (AgentId a = 0; a < network.agents(); ++a) {
    const std::size_t degree = network.links_of(a).size();
    if (degree < 2) continue;
    most = std::max(most, degree);
    const Interface& own = network.interface(a);
    if (!std::isfinite(own.up_bytes_per_s) && !std::isfinite(own.down_bytes_per_s))
      saved = std::max(saved, saved_seconds(network, ledger, a));
  }
  if (most < 2) return std::nullopt;
  if (sharing == Sharing::none)
    return Remark{
        "interfaces_not_shared",
        {{"neighbors", most}},
        fmt::format(
            "messages do not share interfaces (network.sharing is none): up to {} neighbors cost no more time than one",
            most)};
  if (saved == 0 || saved < 0.1 * end.in_seconds()) return std::nullopt;
  return Remark{
      "interfaces_without_bandwidth",
      {{"neighbors", most}, {"longer_s", saved}},
      fmt::format(
          "interfaces have no bandwidth: up to {} neighbors cost no more time than one; through interfaces as fast as "
          "a link the run would have taken up to {:.3g} s longer (network.up_bytes_per_s, network.down_bytes_per_s)",
          most, saved)};
}

}  // namespace lagnet
