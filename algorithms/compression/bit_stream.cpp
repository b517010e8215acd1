#include "algorithms/compression/bit_stream.hpp"

#include <bit>

#include "sim/base/errors.hpp"

namespace lagnet {

void BitWriter::put_value(double value, int count) {
  LAGNET_CHECK(count >= 1 && count <= 64, "a number in {} bits", count);
  put(std::bit_cast<std::uint64_t>(value) >> (64 - count), count);
}

std::uint64_t BitReader::take(int count) {
  LAGNET_CHECK(next_ + static_cast<std::size_t>(count) <= bits_.size(), "{} bits are taken of {} from {} on", count,
               bits_.size(), next_);
  std::uint64_t value = 0;
  while (count-- > 0) value = value << 1 | std::uint64_t{bits_[next_++]};
  return value;
}

double BitReader::take_value(int count) {
  LAGNET_CHECK(count >= 1 && count <= 64, "a number in {} bits", count);
  return std::bit_cast<double>(take(count) << (64 - count));
}

}  // namespace lagnet
