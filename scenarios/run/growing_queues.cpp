#include "scenarios/run/growing_queues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace lagnet {

namespace {

std::int64_t in_flight(const Row& row) {
  return row.total.messages_sent - row.total.messages_received - row.total.messages_lost;
}

}  // namespace

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
