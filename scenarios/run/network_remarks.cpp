#include "scenarios/run/network_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lagnet {

namespace {

/// How much longer what an agent sent would have taken through one interface as fast as its first link than over all of
/// its links at once, in s.
double saved_seconds(const Network& network, const Ledger& ledger, AgentId agent) {
  const auto degree = static_cast<double>(network.links_of(agent).size());
  const double sent = static_cast<double>(ledger.agent(agent).bytes_sent);
  return sent * (1 - 1 / degree) / network.bandwidth_bytes_per_s(network.first_link(agent));
}

std::int64_t in_flight(const Row& row) {
  return row.total.messages_sent - row.total.messages_received - row.total.messages_lost;
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

std::optional<Remark> only_under_fifo(const WorldModel& model) {
  const WorldModel usual;
  const bool is_set = model.forwarding != usual.forwarding || model.send_order != usual.send_order;
  if (!is_set || model.sharing == Sharing::fifo) return std::nullopt;
  return Remark{"only_under_fifo",
                {},
                "network.forwarding and network.send_order have no effect where network.sharing is not fifo"};
}

std::optional<Remark> growing_queues(const std::vector<Row>& rows, LinkId links) {
  constexpr std::int64_t many = 4;  // on each link: of synchronous agents each has one, or as many as there are parts
  if (rows.size() < 4) return std::nullopt;
  const Row& end = rows.back();
  // The last row at or before that share of the time.
  const auto row_at = [&](double share) -> const Row& {
    const auto later = std::ranges::upper_bound(rows, share * end.at.in_seconds(), {},
                                                [](const Row& row) { return row.at.in_seconds(); });
    return later == rows.begin() ? rows.front() : *std::prev(later);
  };
  const Row &quarter = row_at(0.25), &half = row_at(0.5);
  const std::int64_t last = in_flight(end), middle = in_flight(half);
  // Twice the time is twice the messages, but for half of it.
  const auto grows = [](std::int64_t from, std::int64_t to) { return 2 * to >= 3 * from; };
  if (end.total.queueing == Duration()) return std::nullopt;  // they are on their way, and none waits
  if (last < many * links || middle == 0 || !grows(middle, last) || !grows(in_flight(quarter), middle))
    return std::nullopt;
  std::string text = fmt::format("messages queue without limit: {} were in flight at {:.3g} s and {} at the end",
                                 middle, half.at.in_seconds(), last);
  if (half.staleness_mean && end.staleness_mean && *end.staleness_mean > *half.staleness_mean)
    text += fmt::format(", and what updates use is ever older ({:.3g}, then {:.3g} updates)", *half.staleness_mean,
                        *end.staleness_mean);
  return Remark{"queues_grow",
                {{"middle", middle}, {"end", last}},
                text +
                    "; agents send faster than their links carry: more bandwidth (network), or fewer updates a second "
                    "(compute.clock, or a slower compute.speed_flops_per_s), ends that"};
}

}  // namespace lagnet
