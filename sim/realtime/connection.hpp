#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/realtime/frames/frame.hpp"
#include "sim/realtime/frames/frame_reader.hpp"
#include "sim/realtime/stream.hpp"

namespace lagnet {

/// One TCP connection that carries frames. All calls and handlers are on the thread of its io_context; handlers run
/// from there alone, never inside a call, but for `begun`.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = std::chrono::steady_clock;
  using FrameBytes = std::shared_ptr<const OutgoingFrame>;
  struct Handlers {
    std::function<void(const Frame&)> frame;             // its exceptions leave the io_context's run()
    std::function<void(const std::string& why)> closed;  // once, unless close() was called
    // The system is being given this one, of which it takes what it has room for; before that, it waited for others.
    std::function<void(const OutgoingFrame&)> begun = {};
  };

  Connection(std::unique_ptr<Stream> stream, const FrameLimits& limits);
  /// Shakes hands and begins to read. May be called again to change the handlers.
  void start(Handlers handlers);
  /// Changes the accepted frames, from the next one on.
  void limit(const FrameLimits& limits) { reader_.limit(limits); }
  /// Sends a whole frame after those that were given before.
  void write(FrameBytes frame);
  /// Ends it without a word: no handler is called after this.
  void close();
  /// Ends it once everything has been written.
  void close_when_written();
  bool is_open() const { return stream_->socket().is_open(); }
  /// Whether the other side has proved that it is that process, or need not.
  bool is_of(std::uint32_t process) const { return stream_->is_of(process); }
  Clock::time_point last_came() const { return last_came_; }
  std::string peer_address() const { return peer_address_; }

 private:
  void read();
  void take_frames();
  void write_some();
  void fail(const std::string& why);

  std::unique_ptr<Stream> stream_;
  FrameReader reader_;
  std::shared_ptr<const Handlers> handlers_;  // shared by the one that runs, which may put others in its place
  std::string peer_address_;
  std::deque<FrameBytes> waiting_;   // to be written
  std::vector<FrameBytes> writing_;  // now
  Clock::time_point last_came_ = Clock::now();
  bool has_begun_ = false, has_shaken_hands_ = false;
  bool closes_when_written_ = false;
};

}  // namespace lagnet
