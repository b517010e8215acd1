#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/realtime/connection.hpp"
#include "sim/realtime/frames/frame.hpp"

namespace lagnet {

/// The times by which processes notice that a connection has failed.
struct LinkTimes {
  std::chrono::milliseconds heartbeat{1000};  // between signs of life
  std::chrono::milliseconds failed{2000};     // of silence end a connection
};

/// Bytes that may wait until a peer has acknowledged them: who sends faster than it takes fills this computer's memory.
constexpr std::size_t most_waiting = std::size_t{1} << 30;

/// What lasts between two processes, while connections come and go: frames with sequence numbers are kept until the
/// peer has acknowledged them, sent again over the next connection, and taken once and in order. A frame counts as
/// received once its handler has taken it: one that the handler refuses (FrameError) ends the connection and comes
/// again over the next one. One that is refused twice ends the run: the peer would send it for ever.
class PeerLink {
 public:
  struct Handlers {
    std::function<void(const Frame&)> frame;             // with a sequence number: once, and in order
    std::function<void(const std::string& why)> failed;  // the connection has ended
    // The system is being given the frame with this number, perhaps not for the first time.
    std::function<void(std::uint64_t sequence)> begun = {};
  };

  PeerLink(boost::asio::io_context& context, std::uint32_t peer, std::uint64_t own_incarnation, LinkTimes times,
           Handlers handlers);

  /// The part of a greeting about this link.
  void describe(Hello& own) const;
  /// A connection over which both have greeted. It takes the place of an earlier one. Returns whether the peer was
  /// restarted since they met.
  bool attach(std::shared_ptr<Connection> connection, const Hello& theirs);
  bool is_up() const { return connection_ && connection_->is_open(); }
  /// Whether it has ever had a connection.
  bool was_up() const { return known_incarnation_ != 0; }
  /// Which start of the peer's process was last connected; 0 before the first greeting.
  std::uint64_t known_incarnation() const { return known_incarnation_; }
  /// Since when it has had none; while it is up, a time that is not over.
  Connection::Clock::time_point down_since() const {
    return is_up() ? Connection::Clock::time_point::max() : down_since_;
  }

  /// Sends a frame with the next sequence number, at once or over the next connection; `make` gives it for a header.
  /// Gives the number if the frame waits for others, or for a connection. Throws RunError where more waits for the peer
  /// than there may.
  template <class Make>
  std::optional<std::uint64_t> send(FrameKind kind, Make&& make) {
    if (peer_has_left_) return std::nullopt;
    push(std::make_shared<const OutgoingFrame>(make(header(kind, ++sent_))));
    return begun_ < sent_ ? std::optional(sent_) : std::nullopt;
  }
  /// Says that the agents here have ended, also to a peer whose agents have: it may still wait for others, and would
  /// take the end of the connection for a failure.
  void say_goodbye();
  /// Frames that are sent and not acknowledged.
  std::size_t unacknowledged() const { return outbox_.size(); }
  /// The peer's agents have ended: it takes nothing any more.
  bool peer_has_left() const { return peer_has_left_; }
  void note_peer_has_left() { peer_has_left_ = true; }
  void close();

 private:
  struct Sent {
    std::uint64_t sequence;
    Connection::FrameBytes bytes;
  };
  FrameHeader header(FrameKind kind, std::uint64_t sequence) const {
    return {.kind = kind, .sequence = sequence, .received = received_};
  }
  void push(Connection::FrameBytes bytes);
  void begin(std::uint64_t sequence);
  void take(const Frame& frame);
  void hand_over(const Frame& frame);
  void empty_outbox();
  void drop_acknowledged(std::uint64_t up_to);
  void acknowledge();  // by a frame of its own
  void beat();
  void lose(const std::string& why);

  const std::uint32_t peer_;  // the process's number
  const std::uint64_t incarnation_;
  const LinkTimes times_;
  Handlers handlers_;
  boost::asio::steady_timer heart_;
  std::shared_ptr<Connection> connection_;
  Connection::Clock::time_point down_since_ = Connection::Clock::now();
  std::deque<Sent> outbox_;              // by ascending sequence
  std::size_t waiting_ = 0;              // bytes in it
  std::uint64_t known_incarnation_ = 0;  // the peer's; 0 before the first greeting
  std::uint64_t sent_ = 0, received_ = 0;
  std::uint64_t begun_ = 0;    // of the sent frames, the last one passed to the system over this connection
  std::uint64_t told_ = 0;     // of the received frames, the last one that the peer knows of
  std::uint64_t refused_ = 0;  // the last frame that came unharmed and could not be taken; 0: none
  bool peer_has_left_ = false;
};

}  // namespace lagnet
