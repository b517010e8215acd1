#pragma once

#include "sim/base/types.hpp"

namespace lagnet {

/// The cost of a computation: floating-point operations, and the bytes that it reads from and writes to memory (0:
/// memory traffic is not modeled). Its constructors are declared because it passes through awaitables of g++ 12.
struct Cost {
  Flops flops = 0;
  Bytes bytes = 0;

  constexpr Cost() {}
  constexpr Cost(Flops work_flops) : flops(work_flops) {}  // NOLINT: implicit, since most work is flops alone
  constexpr Cost(Flops work_flops, Bytes work_bytes) : flops(work_flops), bytes(work_bytes) {}
  constexpr Cost operator+(Cost other) const { return {flops + other.flops, bytes + other.bytes}; }
  friend constexpr Cost operator*(std::int64_t times, Cost one) { return {times * one.flops, times * one.bytes}; }
  constexpr bool operator==(const Cost&) const = default;
};

}  // namespace lagnet
