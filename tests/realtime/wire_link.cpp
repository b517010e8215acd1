#include "tests/realtime/wire_link.hpp"

#include <algorithm>
#include <cmath>

namespace lagnet::wire {

void Lateness::add(Nanos late) {
  ++counts_[std::min(bins - 1, static_cast<std::size_t>(late / 1000))];
  ++count_;
  sum_ns_ += static_cast<double>(late);
  largest_ = std::max(largest_, late);
}

double Lateness::quantile_us(double share) const {
  const double wanted = share * static_cast<double>(count_);
  double seen = 0;
  for (std::size_t k = 0; k + 1 < bins; ++k) {
    seen += counts_[k];
    if (seen >= wanted && seen > 0) return static_cast<double>(k + 1);
  }
  return std::ceil(static_cast<double>(largest_) / 1e3);
}

Json Lateness::statistics_us() const {
  return {{"median", quantile_us(0.5)},
          {"p95", quantile_us(0.95)},
          {"largest", static_cast<double>(largest_) / 1e3},
          {"mean", count_ == 0 ? 0 : std::round(sum_ns_ / static_cast<double>(count_)) / 1e3}};
}

Link::Link(const LinkConfig& config, std::uint64_t seed, std::uint32_t number)
    : config_(config),
      drop_draws_(seed, Purpose{"wire.drops"}, number),
      jitter_draws_(seed, Purpose{"wire.jitter"}, number) {}

std::optional<Nanos> Link::take(Nanos now, std::int64_t bytes) {
  ++taken_;
  // A draw for every packet, so that the k-th packet has the same fate whatever the queue does.
  const double chance = drop_draws_.uniform();
  const double jitter = jitter_draws_.uniform();
  if (config_.ns_per_byte > 0) {
    const Nanos start = std::max(now, free_at_);
    const double backlog_bytes = static_cast<double>(start - now) / config_.ns_per_byte;
    if (backlog_bytes + static_cast<double>(bytes) > static_cast<double>(config_.queue_bytes)) {
      ++queue_drops_;
      return std::nullopt;
    }
    free_at_ = start + static_cast<Nanos>(std::ceil(static_cast<double>(bytes) * config_.ns_per_byte));
  } else {
    free_at_ = now;
  }
  if (chance < config_.drop_probability) {
    ++chance_drops_;
    return std::nullopt;
  }
  Nanos due = free_at_ + config_.latency_ns + static_cast<Nanos>(jitter * static_cast<double>(config_.jitter_ns));
  if (!config_.may_reorder) due = std::max(due, last_due_);
  last_due_ = due;
  return due;
}

void Link::count_delivered(Nanos late, std::int64_t bytes) {
  ++packets_;
  bytes_ += static_cast<std::uint64_t>(bytes);
  lateness_.add(late);
}

void Link::add_statistics(Json& to) const {
  to["packets"] = packets_;
  to["bytes"] = bytes_;
  to["dropped_by_chance"] = chance_drops_;
  to["dropped_by_queue"] = queue_drops_;
  to["refused"] = refused_;
  to["in_flight"] = taken_ - packets_ - chance_drops_ - queue_drops_ - refused_;
  to["lateness_us"] = lateness_.statistics_us();
}

}  // namespace lagnet::wire
