#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/errors.hpp"
#include "sim/exchange/message.hpp"
#include "sim/exchange/payload_slabs.hpp"
#include "sim/machine/poison.hpp"

namespace lagnet::message_pool_test {

namespace {

constexpr std::size_t many = 2100;  // two slabs of the size that has most payloads in one

Payload filled(Index size, double first) {
  Payload::Draft draft(size);
  for (Index i = 0; i < size; ++i) draft[i] = first + static_cast<double>(i);
  return draft.finish();
}

/// Header and numbers, from the first byte to the one after the last.
std::pair<std::uintptr_t, std::uintptr_t> extent(const Payload& payload) {
  const auto data = reinterpret_cast<std::uintptr_t>(payload.data());
  return {data - sizeof(detail::PayloadHeader), data + sizeof(double) * static_cast<std::size_t>(payload.size())};
}

}  // namespace

TEST_CASE("Thousands of payloads of each size are in their slabs, do not overlap, and keep every number") {
  for (Index size = 2; size <= 64; ++size) {
    INFO(size << " numbers");
    std::vector<Payload> alive;
    for (std::size_t k = 0; k < many; ++k) alive.push_back(filled(size, static_cast<double>(1000 * k)));
    std::vector<std::pair<std::uintptr_t, std::uintptr_t>> extents;
    std::size_t wrong = 0, outside = 0;
    for (std::size_t k = 0; k < many; ++k) {
      for (Index i = 0; i < size; ++i)
        wrong += alive[k].data()[i] != static_cast<double>(1000 * k) + static_cast<double>(i);
      const auto [first, end] = extents.emplace_back(extent(alive[k]));
      outside += !detail::is_in_one_slab(reinterpret_cast<const void*>(first), end - first);
    }
    std::ranges::sort(extents);
    std::size_t overlapping = 0;
    for (std::size_t k = 1; k < many; ++k) overlapping += extents[k].first < extents[k - 1].second;
    CHECK(wrong == 0);
    CHECK(outside == 0);
    CHECK(overlapping == 0);
  }
}

TEST_CASE("Payloads of all sizes by turns are in their slabs and keep every number") {
  std::vector<Payload> alive;
  for (int turn = 0; turn < 40; ++turn) {
    for (Index size = 1; size <= 64; ++size) alive.push_back(filled(size, static_cast<double>(alive.size())));
    for (std::size_t k = static_cast<std::size_t>(turn); k < alive.size(); k += 7)  // whose memory is used again
      alive[k] = filled(alive[k].size(), static_cast<double>(k));
  }
  std::size_t wrong = 0, outside = 0;
  for (std::size_t k = 0; k < alive.size(); ++k) {
    for (Index i = 0; i < alive[k].size(); ++i) wrong += alive[k].data()[i] != static_cast<double>(k + std::size_t(i));
    const auto [first, end] = extent(alive[k]);
    outside += alive[k].size() > 1 && !detail::is_in_one_slab(reinterpret_cast<const void*>(first), end - first);
  }
  CHECK(wrong == 0);
  CHECK(outside == 0);
}

TEST_CASE("Large payloads are in their slabs") {
  for (const Index size : {500, 511, 512, 513, 1023, 1024, 1025, 300'000, 1'100'000}) {
    const std::vector<Payload> alive{filled(size, 1), filled(size, 2), filled(size, 3)};
    for (const Payload& payload : alive) {
      const auto [first, end] = extent(payload);
      CHECK(detail::is_in_one_slab(reinterpret_cast<const void*>(first), end - first));
    }
  }
}

TEST_CASE("A payload with an invalid count of numbers is an internal error") {
  CHECK_THROWS_AS(Payload::Draft(-1), InternalError);
}

#ifdef LAGNET_POISONS

TEST_CASE("The bytes around a payload, and a dropped one, are poisoned") {
  for (Index size = 2; size <= 600; size += size < 70 ? 1 : 53) {
    INFO(size << " numbers");
    std::vector<Payload> alive;
    for (int k = 0; k < 1100; ++k) alive.push_back(filled(size, k));
    std::size_t open_before = 0, open_after = 0, closed = 0;
    for (const Payload& payload : alive) {
      const auto [first, end] = extent(payload);
      open_before += !is_poisoned(reinterpret_cast<const void*>(first - 1));
      open_after += !is_poisoned(reinterpret_cast<const void*>(end));
      closed += is_poisoned(reinterpret_cast<const void*>(first)) + is_poisoned(reinterpret_cast<const void*>(end - 1));
    }
    CHECK(open_before == 0);
    CHECK(open_after == 0);
    CHECK(closed == 0);
    const auto [first, end] = extent(alive.back());
    alive.pop_back();
    CHECK(is_poisoned(reinterpret_cast<const void*>(first)));
    CHECK(is_poisoned(reinterpret_cast<const void*>(end - 1)));
  }
}

#endif

}  // namespace lagnet::message_pool_test
