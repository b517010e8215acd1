#include "sim/realtime/frames/compact_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>

#include "sim/base/bit_stream.hpp"
#include "sim/realtime/frames/frame_layout.hpp"

namespace lagnet {

using namespace wire;

namespace {

enum class Places : std::uint8_t { all, flagged, indexed };
enum class Values : std::uint8_t { binary64, binary32, in_table };

struct WireCompact {
  endian::little_uint8_buf_t places, values;
  endian::little_uint16_buf_t reserved;
  endian::little_uint32_buf_t in_table;
  endian::little_uint64_buf_t kept;  // numbers that are there; the others are 0
};
static_assert(sizeof(WireCompact) == 16);

constexpr std::size_t longest_table = std::size_t{1} << 16;

/// Of `numbers` numbers, what a layout has. What follows the fixed part are the places, the table, and the values.
struct Layout {
  Places places = Places::all;
  Values values = Values::binary64;
  std::uint64_t numbers = 0, kept = 0, in_table = 0;

  int index_bits() const { return ceil_log2(std::max<std::uint64_t>(numbers, 1)); }
  int value_bits() const {
    if (values == Values::in_table) return ceil_log2(std::max<std::uint64_t>(in_table, 1));
    return values == Values::binary32 ? 32 : 64;
  }
  std::uint64_t bits() const {
    const std::uint64_t where = places == Places::all       ? 0
                                : places == Places::flagged ? numbers
                                                            : kept * static_cast<std::uint64_t>(index_bits());
    return where + 64 * in_table + kept * static_cast<std::uint64_t>(value_bits());
  }
  std::uint64_t bytes() const { return sizeof(WireCompact) + (bits() + 7) / 8; }
};

std::uint64_t pattern_of(double number) { return std::bit_cast<std::uint64_t>(number); }
bool is_zero(double number) { return pattern_of(number) == 0; }  // -0 is another number

bool has_32_bits(double number) {
  constexpr double largest = std::numeric_limits<float>::max();
  return number >= -largest && number <= largest && pattern_of(static_cast<float>(number)) == pattern_of(number);
}

/// The different values in order; nothing if there are more than a table may have.
std::vector<std::uint64_t> table_of(std::span<const double> numbers) {
  const auto different = [](std::span<const double> some) {
    std::vector<std::uint64_t> values(some.size());
    std::ranges::transform(some, values.begin(), pattern_of);
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    if (values.size() > longest_table) values.clear();
    return values;
  };
  constexpr std::size_t first = 2 * longest_table;  // most of what has no table shows that here
  if (numbers.size() > first && different(numbers.first(first)).empty()) return {};
  return different(numbers);
}

/// The smallest layout in these places.
Layout smallest(Places places, std::uint64_t numbers, std::span<const double> kept, std::size_t in_table) {
  Layout best{.places = places, .numbers = numbers, .kept = kept.size()};
  const auto take_if_smaller = [&](Layout other) {
    if (other.bits() < best.bits()) best = other;
  };
  if (std::ranges::all_of(kept, has_32_bits))
    take_if_smaller({.places = places, .values = Values::binary32, .numbers = numbers, .kept = kept.size()});
  if (in_table > 0)
    take_if_smaller(
        {.places = places, .values = Values::in_table, .numbers = numbers, .kept = kept.size(), .in_table = in_table});
  return best;
}

void put_places(const Layout& layout, std::span<const double> numbers, BitWriter& bits) {
  for (std::size_t i = 0; i < numbers.size() && layout.places != Places::all; ++i) {
    if (layout.places == Places::flagged)
      bits.put(is_zero(numbers[i]) ? 0 : 1, 1);
    else if (!is_zero(numbers[i]))
      bits.put(i, layout.index_bits());
  }
}

void put_values(const Layout& layout, std::span<const double> kept, const std::vector<std::uint64_t>& table,
                BitWriter& bits) {
  if (layout.values == Values::in_table)
    for (const std::uint64_t value : table) bits.put(value, 64);
  for (const double number : kept) {
    std::uint64_t value = pattern_of(number);
    if (layout.values == Values::binary32) value = std::bit_cast<std::uint32_t>(static_cast<float>(number));
    if (layout.values == Values::in_table)
      value = static_cast<std::uint64_t>(std::ranges::lower_bound(table, value) - table.begin());
    bits.put(value, layout.value_bits());
  }
}

Layout layout_of(std::span<const std::byte> from, std::size_t numbers) {
  const auto wire = read<WireCompact>(from, "set of numbers");
  const Layout layout{.places = static_cast<Places>(wire.places.value()),
                      .values = static_cast<Values>(wire.values.value()),
                      .numbers = numbers,
                      .kept = wire.kept.value(),
                      .in_table = wire.in_table.value()};
  const bool has_table = layout.values == Values::in_table;
  if (wire.places.value() > static_cast<int>(Places::indexed) ||
      wire.values.value() > static_cast<int>(Values::in_table) || layout.kept > numbers ||
      (layout.places == Places::all && layout.kept < numbers) || layout.in_table > longest_table ||
      has_table != (layout.in_table > 0))
    throw FrameError(fmt::format("{} of {} numbers in layout {}, {} with a table of {}", layout.kept, numbers,
                                 wire.places.value(), wire.values.value(), layout.in_table));
  if (layout.bytes() != from.size())
    throw FrameError(
        fmt::format("{} of {} numbers in {} bytes, expected {}", layout.kept, numbers, from.size(), layout.bytes()));
  return layout;
}

/// In order; each is one of the numbers.
std::vector<std::size_t> take_places(const Layout& layout, BitReader& bits) {
  std::vector<std::size_t> places;
  places.reserve(layout.kept);
  if (layout.places != Places::indexed) {
    for (std::size_t i = 0; i < layout.numbers; ++i)
      if (layout.places == Places::all || bits.take(1) == 1) places.push_back(i);
  } else {
    for (std::uint64_t k = 0; k < layout.kept; ++k) places.push_back(bits.take(layout.index_bits()));
  }
  const bool are_ascending = std::ranges::adjacent_find(places, std::greater_equal()) == places.end();
  if (places.size() != layout.kept || !are_ascending || (!places.empty() && places.back() >= layout.numbers))
    throw FrameError(
        fmt::format("{} places of numbers that are not {} of {}", places.size(), layout.kept, layout.numbers));
  return places;
}

}  // namespace

bool append_compact(std::vector<std::byte>& to, std::span<const double> numbers) {
  std::vector<double> nonzeros;
  std::ranges::copy_if(numbers, std::back_inserter(nonzeros), std::not_fn(is_zero));
  const auto table = table_of(numbers), table_of_nonzeros = table_of(nonzeros);
  Layout best = smallest(Places::all, numbers.size(), numbers, table.size());
  for (const Places places : {Places::flagged, Places::indexed})
    if (const Layout other = smallest(places, numbers.size(), nonzeros, table_of_nonzeros.size());
        other.bits() < best.bits())
      best = other;
  if (best.bytes() >= numbers.size_bytes()) return false;
  WireCompact wire;
  wire.places = static_cast<std::uint8_t>(best.places);
  wire.values = static_cast<std::uint8_t>(best.values);
  wire.reserved = 0;
  wire.in_table = static_cast<std::uint32_t>(best.in_table);
  wire.kept = best.kept;
  BitWriter bits;
  put_places(best, numbers, bits);
  if (best.places == Places::all)
    put_values(best, numbers, table, bits);
  else
    put_values(best, nonzeros, table_of_nonzeros, bits);
  append_bytes(to, std::as_bytes(std::span(&wire, 1)));
  append_bytes(to, bits.bytes());
  return true;
}

void read_compact(std::span<const std::byte> from, std::span<double> numbers) {
  const Layout layout = layout_of(from, numbers.size());
  BitReader bits(from.subspan(sizeof(WireCompact)));
  const std::vector<std::size_t> places = take_places(layout, bits);
  std::vector<double> table;
  for (std::uint64_t i = 0; i < layout.in_table; ++i) table.push_back(bits.take_value(64));
  std::ranges::fill(numbers, 0.0);
  for (const std::size_t place : places) {
    const std::uint64_t value = bits.take(layout.value_bits());
    if (layout.values == Values::in_table && value >= table.size())
      throw FrameError(fmt::format("the value {} of a table of {}", value, table.size()));
    numbers[place] = layout.values == Values::in_table ? table[value]
                     : layout.values == Values::binary32
                         ? double{std::bit_cast<float>(static_cast<std::uint32_t>(value))}
                         : std::bit_cast<double>(value);
  }
}

}  // namespace lagnet
