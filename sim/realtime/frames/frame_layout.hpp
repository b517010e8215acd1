#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <boost/endian/buffers.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "sim/exchange/message.hpp"
#include "sim/realtime/frames/crc32c.hpp"
#include "sim/realtime/frames/frame.hpp"

/// The layout of frames on the wire, for code that writes and reads them.
namespace lagnet::wire {

namespace endian = boost::endian;

static_assert(std::endian::native == std::endian::little, "numbers of payloads are sent as they lie in memory");

struct WireHeader {
  endian::little_uint32_buf_t body_bytes;
  endian::little_uint32_buf_t check;  // the CRC-32C of the header in which it is 0
  endian::little_uint8_buf_t kind;
  endian::little_uint56_buf_t sequence;
  endian::little_uint64_buf_t received;
};
static_assert(sizeof(WireHeader) == frame_header_bytes);

inline std::uint32_t check_of(WireHeader header) {
  header.check = 0;
  return Crc32c().add(std::as_bytes(std::span(&header, 1))).value();
}

struct WireHello {
  std::array<char, 8> magic;
  endian::little_uint32_buf_t version;
  endian::little_uint32_buf_t process;
  endian::little_uint32_buf_t peer;
  endian::little_uint32_buf_t build_bytes;
  endian::little_uint64_buf_t incarnation;
  endian::little_uint64_buf_t known_incarnation;
  endian::little_uint64_buf_t received;
  Hello::Digest scenario;
};
constexpr std::array<char, 8> magic{'l', 'a', 'g', 'n', 'e', 't', '\r', '\n'};
constexpr std::size_t longest_build = 64;
static_assert(sizeof(WireHello) + longest_build <= longest_hello);
constexpr std::size_t copied_at_most = 8192;  // bytes of numbers, which lie in the frame; more stay where they are

struct WireMessage {
  endian::little_uint32_buf_t link;
  endian::little_uint32_buf_t from;
  endian::little_uint32_buf_t tag;
  endian::little_uint32_buf_t hops;
  endian::little_int64_buf_t round;
  endian::little_uint32_buf_t exchange;
  endian::little_uint8_buf_t receipt;
  endian::little_uint8_buf_t life;
  endian::little_uint8_buf_t is_answer;
  endian::little_uint8_buf_t is_encoded;
  endian::little_uint64_buf_t rows;
  endian::little_uint32_buf_t cols;
  endian::little_uint32_buf_t is_compact;  // how the numbers of an encoding lie: else as in memory
  endian::little_int64_buf_t sent;         // ns
  endian::little_uint64_buf_t count;       // of ciphertexts, or the bytes of an encoding
};
static_assert(sizeof(WireMessage) == 64);

/// The fixed part of a body.
template <class Wire>
Wire read(std::span<const std::byte> body, std::string_view what) {
  if (body.size() < sizeof(Wire))
    throw FrameError(fmt::format("a {} of {} bytes, expected {} or more", what, body.size(), sizeof(Wire)));
  Wire wire;
  std::memcpy(&wire, body.data(), sizeof wire);
  return wire;
}

/// Whether this many bytes of numbers, as in memory, have the shape that the message states.
inline bool fits(const WireMessage& wire, std::size_t bytes) {
  const std::uint64_t rows = wire.rows.value(), cols = wire.cols.value(), given = bytes / sizeof(double);
  if (bytes % sizeof(double) != 0) return false;
  return cols == 0 ? given == 0 && rows == 0 : given % cols == 0 && rows == given / cols;
}

inline void check_counts(const WireMessage& wire, std::uint64_t given) {
  const std::uint64_t count = wire.count.value();
  const bool is_encoded = wire.is_encoded.value() != 0;
  if (!is_encoded && count > given) throw FrameError(fmt::format("{} ciphertexts among {} numbers", count, given));
  if (!is_encoded && count > 0 && wire.cols.value() != 1) throw FrameError("a matrix with ciphertexts");
  if (is_encoded && (count > std::uint64_t{1} << 61 || given == 0))
    throw FrameError(fmt::format("{} numbers in an encoding of {} bytes", given, count));
}

inline Payload finished(Payload::Draft& draft, const WireMessage& wire) {
  const auto count = static_cast<std::int64_t>(wire.count.value());
  if (wire.is_encoded.value() == 0) return draft.finish(count);
  return Payload::as_encoding(draft.finish(), count);
}

}  // namespace lagnet::wire
