#include "sim/base/bit_stream.hpp"

#include <algorithm>
#include <bit>

#include "sim/base/errors.hpp"

namespace lagnet {

void BitWriter::put(std::uint64_t value, int count) {
  while (count > 0) {
    const int used = static_cast<int>(size_ % 8), now = std::min(count, 8 - used);
    if (used == 0) bytes_.push_back(std::byte{0});
    const auto bits = static_cast<unsigned>(value >> (count - now) & ((1u << now) - 1));
    bytes_.back() |= static_cast<std::byte>(bits << (8 - used - now));
    count -= now;
    size_ += now;
  }
}

void BitWriter::put_value(double value, int count) {
  LAGNET_CHECK(count >= 1 && count <= 64, "a number in {} bits", count);
  put(std::bit_cast<std::uint64_t>(value) >> (64 - count), count);
}

std::uint64_t BitReader::take(int count) {
  const auto bits = 8 * static_cast<std::int64_t>(bytes_.size());
  LAGNET_CHECK(next_ + count <= bits, "{} bits are taken of {} from {} on", count, bits, next_);
  std::uint64_t value = 0;
  while (count > 0) {
    const int used = static_cast<int>(next_ % 8), now = std::min(count, 8 - used);
    const auto byte = static_cast<unsigned>(bytes_[static_cast<std::size_t>(next_ / 8)]);
    value = value << now | (byte >> (8 - used - now) & ((1u << now) - 1));
    count -= now;
    next_ += now;
  }
  return value;
}

double BitReader::take_value(int count) {
  LAGNET_CHECK(count >= 1 && count <= 64, "a number in {} bits", count);
  return std::bit_cast<double>(take(count) << (64 - count));
}

}  // namespace lagnet
