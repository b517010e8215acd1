#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/errors.hpp"
#include "sim/base/types.hpp"
#include "sim/exchange/message.hpp"
#include "sim/world/network.hpp"

/// The bytes of a connection between two processes: frames, each with a header of fixed size that has a CRC-32C of its
/// own, a body, and a CRC-32C of both. So the size of a body is known to be right before the body has come. All numbers
/// are little-endian.
namespace lagnet {

enum class FrameKind : std::uint8_t {
  hello = 1,  // the first one of each side of a connection
  message,    // of one agent to another
  receipt,    // the message with this link, round, tag and life has arrived
  heartbeat,  // I am there, and this is what I have got
  goodbye,    // the last one: my agents have ended and need nothing any more
  // In the record of a process (event_log.hpp):
  log_start,
  log_event,
  log_report,
  log_end,
  log_queued,
  log_worked,
};
constexpr FrameKind last_frame_kind = FrameKind::log_worked;

/// A frame as it is known before its body has come. What has a sequence number arrives once and in order, whatever
/// happens to connections.
struct FrameHeader {
  FrameKind kind = FrameKind::heartbeat;
  std::uint64_t sequence = 0;  // from 1, below 2^56; 0 for what need not arrive
  std::uint64_t received = 0;  // the last sequence number that its sender has got from its receiver

  bool operator==(const FrameHeader&) const = default;
};

/// The first frame of each side. Processes must agree on version, build and scenario: otherwise their numbers would not
/// belong to one run.
struct Hello {
  using Digest = std::array<std::byte, 32>;
  static constexpr std::uint32_t protocol_version = 3;

  std::uint32_t version = protocol_version;
  std::uint32_t process = 0, peer = 0;  // who speaks, and to whom
  std::uint64_t incarnation = 0;        // another one for each start of the process
  std::uint64_t known_incarnation = 0;  // the peer's that it spoke to before; 0: none
  std::uint64_t received = 0;           // what it has got from that one: the last sequence number
  Digest scenario{};                    // SHA-256 of the scenario as it is run
  std::string build;                    // at most 64 bytes

  bool operator==(const Hello&) const = default;
};

/// A message, the link that it goes over, and when its sender's clock said that it was sent.
struct LinkMessage {
  LinkId link = no_link;
  Time sent;
  Message message;
};

/// The receipt of a message that asked for one: enough of it for AgentPool::arrived(). Its body is empty.
using Receipt = LinkMessage;

/// The limits on frames from another process.
struct FrameLimits {
  std::size_t largest_body = std::size_t{1} << 20;  // bytes, also of what it is once it is expanded
  LinkId links = 0;                                 // of the network
};

/// The bytes are not a frame of a peer: damaged, too large, or something else. It ends the connection.
class FrameError : public RunError {
 public:
  using RunError::RunError;
};

constexpr std::size_t frame_header_bytes = 24, frame_end_bytes = 4;
constexpr std::size_t longest_hello = 1024;  // bytes of its body, of any version

void append_bytes(std::vector<std::byte>& to, std::span<const std::byte> bytes);

/// A frame to be written. Large numbers are those of the message's payload, so that sending does not copy them.
class OutgoingFrame {
 public:
  static OutgoingFrame hello(const Hello& hello);
  /// The message must have numbers. `compact`: as compact_body() gives it, once for all links of a message.
  static OutgoingFrame message(FrameHeader header, LinkId link, Time sent, const Message& message,
                               std::span<const std::byte> compact);
  static OutgoingFrame message(FrameHeader header, LinkId link, Time sent, const Message& one) {
    return message(header, link, sent, one, compact_body(one.body));
  }
  /// The compact form of a compressed vector; empty if its numbers are sent as they are.
  static std::vector<std::byte> compact_body(const Payload& payload);
  static OutgoingFrame receipt(FrameHeader header, LinkId link, Time sent, const Message& message);
  /// With a body that is laid out elsewhere, or none.
  static OutgoingFrame with_body(FrameHeader header, std::span<const std::byte> body = {});

  /// Its bytes, one piece after the other.
  std::array<std::span<const std::byte>, 3> pieces() const {
    return {std::span(head_), numbers_of(payload_), std::span(end_)};
  }
  std::size_t size() const;
  std::uint64_t sequence() const;
  std::vector<std::byte> bytes() const;  // in one piece

 private:
  static std::span<const std::byte> numbers_of(const Payload& payload);
  OutgoingFrame(FrameHeader header, std::size_t body);
  void end();  // with the checksum

  std::vector<std::byte> head_;
  Payload payload_;
  std::vector<std::byte> end_;  // behind the payload's numbers
};

/// A complete, undamaged frame within the limits. The body's bytes end with the next call of the reader.
struct Frame {
  FrameHeader header;
  std::span<const std::byte> body;
  Payload numbers = {};  // the rest of the body of a large message
};

// Reading bodies. Each throws FrameError unless the body is one of its kind, to the last byte.

Hello read_hello(std::span<const std::byte> body);
LinkMessage read_message(const Frame& frame, const FrameLimits& limits);
Receipt read_receipt(std::span<const std::byte> body, const FrameLimits& limits);

}  // namespace lagnet
