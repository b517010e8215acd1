#pragma once

#include <Random123/philox.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/types.hpp"

/// Random numbers as a function of (seed, purpose, agent, round, index): Philox4x32-10 of Salmon, Moraes, Dror, Shaw,
/// "Parallel random numbers: as easy as 1, 2, 3" (2011), by the Random123 library. No stream is shared, so an agent's
/// draws never depend on other agents, and two algorithms under one seed meet the same network. The distributions are
/// ours: those of the standard library differ between libraries.
namespace lagnet {

/// The purpose of a draw. Any name makes a purpose of its own: `constexpr Purpose minibatch{"minibatch"}`.
class Purpose {
 public:
  constexpr explicit Purpose(std::string_view name) {
    for (const char c : name) id_ = (id_ ^ static_cast<unsigned char>(c)) * 16777619u;  // FNV-1a
  }
  constexpr std::uint32_t id() const { return id_; }

 private:
  std::uint32_t id_ = 2166136261u;
};

/// The inverse of the standard normal distribution function for p in (0, 1), to about 1e-16 relative: algorithm AS 241
/// (PPND16) of Wichura, "The percentage points of the normal distribution", Applied Statistics 37 (1988).
double normal_quantile(double p);

/// One sequence of draws. Copying it copies the position.
class Draws {
 public:
  Draws(std::uint64_t seed, Purpose purpose, AgentId agent = 0, Round round = 0)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        counter_{{0, purpose.id(), agent, static_cast<std::uint32_t>(round)}} {}

  /// The numbers of one occasion between two agents, as a round's n-th message over a link: a sequence of its own for
  /// each (seed, purpose, from, to, round, occasion). Its key is drawn first, since the counter has no room for all.
  static Draws between(std::uint64_t seed, Purpose purpose, AgentId from, AgentId to, Round round,
                       std::uint32_t occasion);

  /// The next 64 random bits; a sequence has 2^33 of them.
  std::uint64_t bits() {
    if (half_ == 0) {
      block_ = r123::Philox4x32{}(counter_, key_);
      ++counter_.v[0];
    }
    const std::uint64_t low = block_.v[2 * half_], high = block_.v[2 * half_ + 1];
    half_ ^= 1u;
    return high << 32 | low;
  }
  /// Uniform in the open interval (0, 1), one of the midpoints (k + 1/2) 2^-52, so that 0 and 1 never come.
  double uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  bool bernoulli(double probability) { return uniform() < probability; }
  double normal() { return normal_quantile(uniform()); }
  double exponential();  // mean 1
  /// Uniform in 0 .. bound-1, without bias; bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  /// 0 .. count-1 in random order (Fisher-Yates).
  std::vector<std::uint32_t> permutation(std::uint32_t count);
  /// `picked` of 0 .. count-1 without repetition, in random order; picked <= count.
  std::vector<std::uint32_t> distinct(std::uint32_t count, std::uint32_t picked);

 private:
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_;
  r123::Philox4x32::ctr_type block_{};
  unsigned half_ = 0;
};

}  // namespace lagnet
