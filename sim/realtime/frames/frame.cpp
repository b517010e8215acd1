#include "sim/realtime/frames/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/realtime/frames/compact_numbers.hpp"
#include "sim/realtime/frames/crc32c.hpp"
#include "sim/realtime/frames/frame_layout.hpp"

namespace lagnet {

using namespace wire;

namespace {

template <class Wire>
void append(std::vector<std::byte>& to, const Wire& wire) {
  append_bytes(to, std::as_bytes(std::span(&wire, 1)));
}

WireMessage wire_of(LinkId link, Time sent, const Message& message) {
  WireMessage wire;
  wire.link = link;
  wire.from = message.from;
  wire.tag = message.tag;
  wire.hops = message.hops;
  wire.round = message.round;
  wire.exchange = message.exchange;
  wire.receipt = message.receipt;
  wire.life = message.life;
  wire.is_answer = message.is_answer ? 1 : 0;
  wire.is_encoded = 0;
  wire.rows = 0;
  wire.cols = 0;
  wire.is_compact = 0;
  wire.sent = sent.ns();
  wire.count = 0;
  return wire;
}

std::size_t count_of(const Payload& payload) { return static_cast<std::size_t>(payload.size()); }

/// Of a message whose numbers are compact: what they take in memory, which is limited as if they came so.
std::size_t expanded_bytes(const WireMessage& wire, const FrameLimits& limits) {
  const std::uint64_t rows = wire.rows.value(), cols = wire.cols.value();
  const std::uint64_t most = limits.largest_body / sizeof(double);
  if (wire.is_encoded.value() == 0 || cols == 0 || rows == 0 || rows > most / cols)
    throw FrameError(
        fmt::format("a message of {} x {} compact numbers, expected 1 to {} of an encoding", rows, cols, most));
  return rows * cols * sizeof(double);
}

Message message_of(const WireMessage& wire, const FrameLimits& limits) {
  if (wire.link.value() >= limits.links)
    throw FrameError(fmt::format("a message over link {}, and there are {}", wire.link.value(), limits.links));
  Message message(wire.from.value(), wire.round.value(), wire.tag.value(), Payload());
  message.hops = wire.hops.value();
  message.exchange = wire.exchange.value();
  message.receipt = wire.receipt.value();
  message.life = wire.life.value();
  message.is_answer = wire.is_answer.value() != 0;
  return message;
}

/// Of a message whose numbers are as many as `count`.
Payload payload_of(const WireMessage& wire, std::span<const std::byte> numbers, std::size_t count) {
  if (wire.cols.value() == 0) return Payload();
  const auto copy_to = [&](double* at) {
    if (wire.is_compact.value() != 0)
      read_compact(numbers, std::span(at, count));
    else if (!numbers.empty())
      std::memcpy(at, numbers.data(), numbers.size());
  };
  if (wire.cols.value() == 1) {
    Payload::Draft draft(static_cast<Index>(wire.rows.value()));
    copy_to(draft.vector().data());
    return finished(draft, wire);
  }
  Matrix matrix(static_cast<Index>(wire.rows.value()), static_cast<Index>(wire.cols.value()));
  copy_to(matrix.data());
  Payload payload(matrix);
  if (wire.is_encoded.value() == 0) return payload;
  return Payload::as_encoding(std::move(payload), static_cast<Bytes>(wire.count.value()));
}

}  // namespace

// By hand: for an insertion g++ 12 warns of overflows that cannot happen.
void append_bytes(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const std::size_t before = to.size();
  to.resize(before + bytes.size());
  std::memcpy(to.data() + before, bytes.data(), bytes.size());
}

// Writing

OutgoingFrame::OutgoingFrame(FrameHeader header, std::size_t body) {
  head_.reserve(frame_header_bytes + std::min(body, copied_at_most) + frame_end_bytes);
  WireHeader wire;
  wire.body_bytes = static_cast<std::uint32_t>(body);
  wire.kind = static_cast<std::uint8_t>(header.kind);
  wire.sequence = header.sequence;
  wire.received = header.received;
  wire.check = check_of(wire);
  append(head_, wire);
}

void OutgoingFrame::end() {
  const auto numbers = numbers_of(payload_);
  endian::little_uint32_buf_t crc;
  crc = Crc32c().add(head_).add(numbers).value();
  append(numbers.empty() ? head_ : end_, crc);
}

std::span<const std::byte> OutgoingFrame::numbers_of(const Payload& payload) {
  if (!payload) return {};
  return std::as_bytes(std::span(payload.data(), count_of(payload)));
}

std::size_t OutgoingFrame::size() const { return head_.size() + numbers_of(payload_).size() + end_.size(); }

std::uint64_t OutgoingFrame::sequence() const { return read<WireHeader>(head_, "header").sequence.value(); }

std::vector<std::byte> OutgoingFrame::bytes() const {
  std::vector<std::byte> all;
  for (const auto piece : pieces()) append_bytes(all, piece);
  return all;
}

OutgoingFrame OutgoingFrame::hello(const Hello& hello) {
  WireHello wire{};
  wire.magic = magic;
  wire.version = hello.version;
  wire.process = hello.process;
  wire.peer = hello.peer;
  const std::string_view build = std::string_view(hello.build).substr(0, longest_build);
  wire.build_bytes = static_cast<std::uint32_t>(build.size());
  wire.incarnation = hello.incarnation;
  wire.known_incarnation = hello.known_incarnation;
  wire.received = hello.received;
  wire.scenario = hello.scenario;
  OutgoingFrame frame({.kind = FrameKind::hello}, sizeof wire + build.size());
  append(frame.head_, wire);
  append_bytes(frame.head_, std::as_bytes(std::span(build)));
  frame.end();
  return frame;
}

std::vector<std::byte> OutgoingFrame::compact_body(const Payload& payload) {
  std::vector<std::byte> compact;
  if (payload.encoded()) append_compact(compact, {payload.data(), count_of(payload)});
  return compact;
}

OutgoingFrame OutgoingFrame::message(FrameHeader header, LinkId link, Time sent, const Message& message,
                                     std::span<const std::byte> compact) {
  const Payload& payload = message.body;
  LAGNET_CHECK(!payload || payload.has_numbers(), "a message of agent {} without numbers is sent", message.from);
  header.kind = FrameKind::message;
  const bool is_compact = !compact.empty();
  const auto numbers = is_compact ? compact : numbers_of(payload);
  OutgoingFrame frame(header, sizeof(WireMessage) + numbers.size());
  WireMessage wire = wire_of(link, sent, message);
  wire.rows = static_cast<std::uint64_t>(payload.rows());
  wire.cols = static_cast<std::uint32_t>(payload.cols());
  wire.is_encoded = payload.encoded() ? 1 : 0;
  wire.is_compact = is_compact ? 1 : 0;
  wire.count = static_cast<std::uint64_t>(payload.encoded().value_or(payload.encrypted()));
  append(frame.head_, wire);
  if (is_compact || numbers.size() <= copied_at_most)
    append_bytes(frame.head_, numbers);
  else
    frame.payload_ = payload;
  frame.end();
  return frame;
}

OutgoingFrame OutgoingFrame::receipt(FrameHeader header, LinkId link, Time sent, const Message& message) {
  header.kind = FrameKind::receipt;
  OutgoingFrame frame(header, sizeof(WireMessage));
  append(frame.head_, wire_of(link, sent, message));
  frame.end();
  return frame;
}

OutgoingFrame OutgoingFrame::with_body(FrameHeader header, std::span<const std::byte> body) {
  OutgoingFrame frame(header, body.size());
  append_bytes(frame.head_, body);
  frame.end();
  return frame;
}

// Reading

Hello read_hello(std::span<const std::byte> body) {
  const auto wire = read<WireHello>(body, "greeting");
  if (wire.magic != magic) throw FrameError("a greeting of something else than lagnet");
  const std::string_view build(reinterpret_cast<const char*>(body.data()) + sizeof wire, body.size() - sizeof wire);
  if (build.size() != wire.build_bytes.value() || build.size() > longest_build)
    throw FrameError(fmt::format("a greeting with {} bytes for a build of {}", build.size(), wire.build_bytes.value()));
  Hello hello;
  hello.version = wire.version.value();
  hello.process = wire.process.value();
  hello.peer = wire.peer.value();
  hello.incarnation = wire.incarnation.value();
  hello.known_incarnation = wire.known_incarnation.value();
  hello.received = wire.received.value();
  hello.scenario = wire.scenario;
  hello.build = build;
  return hello;
}

LinkMessage read_message(const Frame& frame, const FrameLimits& limits) {
  const auto wire = read<WireMessage>(frame.body, "message");
  LinkMessage read{wire.link.value(), Time::nanoseconds(wire.sent.value()), message_of(wire, limits)};
  if (frame.numbers) {
    read.message.body = frame.numbers;
    return read;
  }
  const auto numbers = frame.body.subspan(sizeof wire);
  const std::size_t in_memory = wire.is_compact.value() != 0 ? expanded_bytes(wire, limits) : numbers.size();
  if (!fits(wire, in_memory))
    throw FrameError(fmt::format("a message of {} x {} numbers with {} bytes of them", wire.rows.value(),
                                 wire.cols.value(), numbers.size()));
  const std::size_t count = in_memory / sizeof(double);
  check_counts(wire, count);
  read.message.body = payload_of(wire, numbers, count);
  return read;
}

Receipt read_receipt(std::span<const std::byte> body, const FrameLimits& limits) {
  const auto wire = read<WireMessage>(body, "receipt");
  if (body.size() != sizeof wire) throw FrameError(fmt::format("a receipt of {} bytes", body.size()));
  return {wire.link.value(), Time::nanoseconds(wire.sent.value()), message_of(wire, limits)};
}

}  // namespace lagnet
