#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Bits of an encoding, written and read in one order.
namespace lagnet {

/// The smallest e with 2^e >= n, for n >= 1: the bits of a number below n.
constexpr int ceil_log2(std::uint64_t n) {
  int e = 0;
  while (e < 64 && (std::uint64_t{1} << e) < n) ++e;
  return e;
}

class BitWriter {
 public:
  /// The lowest `count` bits of a number, at most 64, the highest of them first.
  void put(std::uint64_t value, int count);
  /// A real number in this many bits, 1 to 64: the leading bits of its binary64, so that 64 are exact.
  void put_value(double value, int count);
  /// In bits.
  std::int64_t size() const { return size_; }
  /// The first bit is the highest one of the first byte; zeros fill the last byte.
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::int64_t size_ = 0;
};

class BitReader {
 public:
  /// What BitWriter has written. The bytes must outlive the reader.
  explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  /// Beyond the last byte: an internal error.
  std::uint64_t take(int count);
  double take_value(int count);
  std::int64_t position() const { return next_; }

 private:
  std::span<const std::byte> bytes_;
  std::int64_t next_ = 0;
};

}  // namespace lagnet
