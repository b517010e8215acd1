#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/exchange/message.hpp"
#include "sim/realtime/frames/frame.hpp"

namespace lagnet {

/// Takes incoming bytes, and returns frames. The numbers of a large message are read directly into their place.
class FrameReader {
 public:
  explicit FrameReader(FrameLimits limits) : limits_(limits) {}
  /// Where the next bytes may be put.
  std::span<std::byte> room();
  /// So many were put there.
  void add(std::size_t bytes) { (is_filling() ? large_->filled : end_) += bytes; }
  /// The next complete frame; nothing until more bytes arrive. Throws FrameError.
  std::optional<Frame> next();
  void limit(const FrameLimits& limits) { limits_ = limits; }
  /// True if the buffer is empty.
  bool is_empty() const { return begin_ == end_ && !large_; }

 private:
  struct Large {
    FrameHeader header;
    std::vector<std::byte> head;  // all before the numbers
    Payload::Draft numbers;
    std::size_t filled = 0;  // bytes of them
  };
  bool is_filling() const { return large_ && large_->filled < numbers_bytes(); }
  std::size_t numbers_bytes() const { return static_cast<std::size_t>(large_->numbers.size()) * sizeof(double); }
  std::span<std::byte> numbers();
  std::span<const std::byte> came() const { return std::span(bytes_).subspan(begin_, end_ - begin_); }
  void begin_large(FrameHeader header, std::size_t body);
  std::optional<Frame> end_large();

  FrameLimits limits_;
  std::vector<std::byte> bytes_;
  std::size_t begin_ = 0, end_ = 0;  // of bytes not taken yet
  std::optional<Large> large_;
  std::vector<std::byte> head_;  // of the last large frame
};

}  // namespace lagnet
