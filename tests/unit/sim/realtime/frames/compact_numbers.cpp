#include "sim/realtime/frames/compact_numbers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim/base/draws.hpp"
#include "sim/realtime/frames/frame.hpp"

namespace lagnet::compact_numbers_test {

namespace {

using Numbers = std::vector<double>;

/// What is read again, and in how many bytes it was; {} where it was not smaller.
struct Read {
  Numbers numbers;
  std::size_t bytes = 0;
};

Read read_again(const Numbers& numbers) {
  std::vector<std::byte> bytes;
  if (!append_compact(bytes, numbers)) {
    CHECK(bytes.empty());
    return {};
  }
  Read read{Numbers(numbers.size(), 7.0), bytes.size()};
  read_compact(bytes, read.numbers);
  return read;
}

bool are_same_bits(const Numbers& one, const Numbers& other) {
  return one.size() == other.size() && std::memcmp(one.data(), other.data(), sizeof(double) * one.size()) == 0;
}

Numbers drawn(std::size_t count) {
  Draws draws(3, Purpose("test"));
  Numbers numbers(count);
  for (double& number : numbers) number = draws.normal();
  return numbers;
}

}  // namespace

TEST_CASE("numbers that compressors leave take about the bytes of their encodings, and are the same bits") {
  constexpr std::size_t n = 1000, fixed = 16;
  Numbers signs = drawn(n), powers = drawn(n), kept(n), seldom(n), singles = drawn(n);
  for (double& x : signs) x = std::copysign(0.3, x);
  for (double& x : powers) x = std::copysign(std::exp2(std::round(std::log2(std::abs(x)))), x);
  for (double& x : singles) x = static_cast<float>(x);
  const Numbers numbers = drawn(n);
  for (std::size_t i = 0; i < n; i += 3) kept[i] = numbers[i];
  for (std::size_t i = 0; i < n; i += 100) seldom[i] = numbers[i];
  struct Case {
    Numbers numbers;
    std::size_t bytes;
  };
  const Case cases[]{
      {signs, fixed + 2 * 8 + n / 8},                // a table of 2
      {kept, fixed + n / 8 + 334 * 8},               // a flag for each number
      {seldom, fixed + (10 * 10 + 7) / 8 + 10 * 8},  // indices below 1024
      {singles, fixed + n * 4},                      // values of 32 bits
      {Numbers(n), fixed},                           // nothing
      {Numbers(n, -0.0), fixed + 8},                 // a table of 1: -0 is not 0
      {Numbers{0.0, 0.1, 0.1, 0.1}, fixed + 8 + 1},  // a table of 1 behind 4 flags
  };
  for (const Case& one : cases) {
    const Read read = read_again(one.numbers);
    CHECK(read.bytes == one.bytes);
    CHECK(are_same_bits(read.numbers, one.numbers));
  }
  const Read read = read_again(powers);
  CHECK(are_same_bits(read.numbers, powers));
  CHECK(read.bytes < n);  // some 20 values: below 8 bits each, with their table
}

TEST_CASE("numbers that have nothing in common stay as they are") {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1000}})
    CHECK(read_again(drawn(count)).bytes == 0);
}

TEST_CASE("each number is the same bits, whatever it is") {
  const double quiet = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  const Numbers odd{-0.0, 0.0, quiet, -infinite, infinite, 5e-324, 1e308, 0x1p-149, 0x1p-150};
  Numbers numbers(1000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = odd[i % odd.size()];
  CHECK(are_same_bits(read_again(numbers).numbers, numbers));
  numbers.assign(1000, 0.0);
  std::ranges::copy(odd, numbers.begin() + 991);
  CHECK(are_same_bits(read_again(numbers).numbers, numbers));
  numbers.assign(1000, 0x1p-149);  // the smallest of 32 bits
  numbers.back() = -0.0;
  CHECK(are_same_bits(read_again(numbers).numbers, numbers));
}

TEST_CASE("bytes that are changed, cut off or of another count of numbers are refused or other numbers") {
  Draws random(5, Purpose("test"));
  Numbers signs = drawn(40), seldom(40), kept = drawn(40);
  for (double& x : signs) x = std::copysign(0.3, x);
  seldom[7] = seldom[30] = 0.1;
  for (std::size_t i = 0; i < kept.size(); i += 2) kept[i] = 0;
  std::size_t refused = 0, taken = 0;
  for (const Numbers& numbers : {signs, seldom, kept}) {
    std::vector<std::byte> whole;
    REQUIRE(append_compact(whole, numbers));
    Numbers more(41), fewer(39), same(40);
    CHECK_THROWS_AS(read_compact(std::span(whole).first(whole.size() - 1), same), FrameError);
    CHECK_THROWS_AS(read_compact({}, same), FrameError);
    for (int trial = 0; trial < 20'000; ++trial) {
      auto changed = whole;
      for (int changes = 0; changes < 2; ++changes)
        changed[random.bits() % changed.size()] = static_cast<std::byte>(random.bits());
      for (Numbers* into : {&more, &fewer, &same}) {
        try {
          read_compact(changed, *into);
          ++taken;
        } catch (const FrameError&) {
          ++refused;
        }
      }
    }
  }
  CHECK((taken > 1000 && refused > 1000));
}

}  // namespace lagnet::compact_numbers_test
