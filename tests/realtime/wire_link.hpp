#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sim/base/draws.hpp"
#include "tests/realtime/wire_config.hpp"

namespace lagnet::wire {

/// Nanoseconds of CLOCK_MONOTONIC.
using Nanos = std::int64_t;

/// How far behind their due times packets were handed over.
class Lateness {
 public:
  void add(Nanos late);
  /// {"median", "p95", "largest", "mean"} in us; the first two are rounded up to whole us.
  Json statistics_us() const;

 private:
  /// Rounded up to whole us; where it does not fit into the bins, the largest.
  double quantile_us(double share) const;

  static constexpr std::size_t bins = 10'000;  // of 1 us
  std::array<std::uint32_t, bins> counts_{};
  std::uint64_t count_ = 0;
  double sum_ns_ = 0;
  Nanos largest_ = 0;
};

/// One direction between two hosts: packets are transmitted one after the other at the bandwidth, may be lost, and
/// come after the latency and the jitter. A packet that is lost by chance has taken its time of transmission.
///
/// The link holds no packets: when a packet is due follows from the moment when the transmitter is free again.
class Link {
 public:
  /// `number`: of the link in the file; each has draws of its own.
  Link(const LinkConfig& config, std::uint64_t seed, std::uint32_t number);

  /// When a packet that comes in at `now` is due at the other end; nothing if it is dropped.
  std::optional<Nanos> take(Nanos now, std::int64_t bytes);
  /// A packet was handed over, so much after it was due.
  void count_delivered(Nanos late, std::int64_t bytes);
  /// The host did not take a packet that was due.
  void count_refused() { ++refused_; }

  const LinkConfig& config() const { return config_; }
  /// Adds the counts to an object.
  void add_statistics(Json& to) const;

 private:
  LinkConfig config_;
  Draws drop_draws_, jitter_draws_;  // apart, so that a change of one does not move the other
  Nanos free_at_ = 0;                // when all that was taken has been transmitted
  Nanos last_due_ = 0;
  std::uint64_t taken_ = 0, packets_ = 0, bytes_ = 0, chance_drops_ = 0, queue_drops_ = 0, refused_ = 0;
  Lateness lateness_;
};

}  // namespace lagnet::wire
