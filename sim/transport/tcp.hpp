#pragma once

#include <algorithm>
#include <vector>

#include "sim/world/network.hpp"
#include "sim/world/tcp_options.hpp"

namespace lagnet {

/// TCP connections of all pairs of agents in slow start, at the level of messages: when a message departs, how many
/// bytes it has on the wire, and how long it stands while its sender waits for acknowledgments. One connection joins
/// two agents, with a window for each direction. Windows that losses cut, and shared queues that fill, are not modeled.
/// Growth and restart after idle times as in RFC 5681, section 3.1 and 4.1; the initial window as in RFC 6928.
class TcpConnections {
 public:
  TcpConnections(const Network& network, const TcpOptions& options);

  struct Departure {
    Time at;         // after the handshake, if the connection is not open yet
    Duration stall;  // while windows are smaller than what is on its way
  };
  /// The bytes of a message with headers.
  Bytes wire(Bytes bytes) const { return bytes + options_.header_bytes * segments(bytes); }
  /// Of the next message of a link, with `bytes` of payload, that is sent at `now`.
  Departure depart(LinkId link, Bytes bytes, Time now);

 private:
  struct Direction {
    std::int64_t window = 0;  // segments
    Time busy_until;          // since when it is idle
    bool has_sent = false;
    bool is_open = false;
    Time open_from;
  };
  std::int64_t segments(Bytes bytes) const {
    return std::max<std::int64_t>(1, (bytes + options_.mss_bytes - 1) / options_.mss_bytes);
  }
  std::int64_t after_idle(const Direction& of, Time departure, Duration round_trip) const;
  Duration stall(std::int64_t window, std::int64_t segments, Duration round_trip, Duration segment) const;

  const Network& network_;
  const TcpOptions options_;
  const std::int64_t longest_window_;
  std::vector<Direction> directions_;  // by link
};

}  // namespace lagnet
