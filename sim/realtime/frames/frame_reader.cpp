#include "sim/realtime/frames/frame_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/endian/buffers.hpp>
#include <cstring>
#include <utility>

#include "sim/realtime/frames/crc32c.hpp"
#include "sim/realtime/frames/frame_layout.hpp"

namespace lagnet {

using namespace wire;

namespace {

void check_end(std::span<const std::byte> head, std::span<const std::byte> numbers, std::span<const std::byte> end) {
  const std::uint32_t told = read<endian::little_uint32_buf_t>(end, "checksum").value();
  if (const std::uint32_t found = Crc32c().add(head).add(numbers).value(); found != told)
    throw FrameError(fmt::format("a damaged frame, with checksum {:08x}, expected {:08x}", told, found));
}

}  // namespace

std::span<std::byte> FrameReader::numbers() {
  return std::as_writable_bytes(std::span(large_->numbers.vector().data(), numbers_bytes() / sizeof(double)));
}

std::span<std::byte> FrameReader::room() {
  if (is_filling()) return numbers().subspan(large_->filled);
  constexpr std::size_t least = std::size_t{1} << 16;
  if (begin_ == end_) begin_ = end_ = 0;
  std::size_t wanted = least;
  if (!large_ && came().size() >= frame_header_bytes) {
    const auto wire = read<WireHeader>(came(), "header");
    const std::size_t body = std::min<std::size_t>(wire.body_bytes.value(), limits_.largest_body);
    const std::size_t whole = frame_header_bytes + body + frame_end_bytes;
    wanted = std::max(wanted, whole - std::min(whole, came().size()));
  }
  if (bytes_.size() - end_ < wanted && begin_ > 0) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  if (bytes_.size() - end_ < wanted) bytes_.resize(end_ + wanted);
  return std::span(bytes_).subspan(end_);
}

std::optional<Frame> FrameReader::next() {
  if (large_) return end_large();
  if (came().size() < frame_header_bytes) return std::nullopt;
  const auto wire = read<WireHeader>(came(), "header");
  if (wire.check.value() != check_of(wire))
    throw FrameError("a frame with a damaged header, or of another version of lagnet");
  const std::size_t body = wire.body_bytes.value();
  if (body > limits_.largest_body)
    throw FrameError(fmt::format("a frame of {} bytes, expected at most {}", body, limits_.largest_body));
  const std::uint32_t kind = wire.kind.value();
  if (kind < static_cast<std::uint32_t>(FrameKind::hello) || kind > static_cast<std::uint32_t>(last_frame_kind))
    throw FrameError(fmt::format("a frame of kind {}, which there is not", kind));
  const FrameHeader header{
      .kind = static_cast<FrameKind>(kind), .sequence = wire.sequence.value(), .received = wire.received.value()};
  const std::size_t whole = frame_header_bytes + body + frame_end_bytes;
  if (came().size() < whole) {
    if (header.kind == FrameKind::message && body > sizeof(WireMessage) + copied_at_most) begin_large(header, body);
    return large_ ? end_large() : std::nullopt;
  }
  check_end(came().first(whole - frame_end_bytes), {}, came().subspan(whole - frame_end_bytes));
  const auto bytes = came().subspan(frame_header_bytes, body);
  begin_ += whole;
  return Frame{header, bytes};
}

/// Once a large message says what numbers it has, they go to where they will stay.
void FrameReader::begin_large(FrameHeader header, std::size_t body) {
  constexpr std::size_t before = frame_header_bytes + sizeof(WireMessage);
  if (came().size() < before) return;
  const auto wire = read<WireMessage>(came().subspan(frame_header_bytes), "message");
  const std::size_t bytes = body - sizeof(WireMessage);
  if (wire.cols.value() != 1 || wire.is_compact.value() != 0 || !fits(wire, bytes))
    return;  // read_message() takes it, or says what is wrong
  check_counts(wire, bytes / sizeof(double));
  large_ = Large();
  large_->header = header;
  append_bytes(large_->head, came().first(before));
  large_->numbers = Payload::Draft(static_cast<Index>(wire.rows.value()));
  const auto first = came().subspan(before, std::min(came().size() - before, bytes));
  std::ranges::copy(first, numbers().begin());
  large_->filled = first.size();
  begin_ += before + first.size();
}

std::optional<Frame> FrameReader::end_large() {
  if (is_filling() || came().size() < frame_end_bytes) return std::nullopt;
  check_end(large_->head, numbers(), came().first(frame_end_bytes));
  begin_ += frame_end_bytes;
  head_ = std::move(large_->head);
  const auto body = std::span<const std::byte>(head_).subspan(frame_header_bytes);
  Frame frame{large_->header, body, finished(large_->numbers, read<WireMessage>(body, "message"))};
  large_.reset();
  return frame;
}

}  // namespace lagnet
