#pragma once

#include <cstdint>
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
  void put(std::uint64_t value, int count) {
    while (count-- > 0) bits_.push_back((value >> count & 1u) != 0);
  }
  /// A real number in so many bits, 1 to 64: the leading ones of its binary64, so that 64 are exact.
  void put_value(double value, int count);
  std::int64_t size() const { return static_cast<std::int64_t>(bits_.size()); }
  const std::vector<bool>& bits() const { return bits_; }

 private:
  std::vector<bool> bits_;
};

class BitReader {
 public:
  /// The bits must outlive the reader.
  explicit BitReader(const std::vector<bool>& bits) : bits_(bits) {}
  /// Beyond the last bit: an internal error.
  std::uint64_t take(int count);
  double take_value(int count);
  std::int64_t position() const { return static_cast<std::int64_t>(next_); }

 private:
  const std::vector<bool>& bits_;
  std::size_t next_ = 0;
};

}  // namespace lagnet
