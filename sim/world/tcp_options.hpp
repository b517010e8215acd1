#pragma once

#include <optional>

#include "sim/base/types.hpp"

namespace lagnet {

/// What a TCP connection does to messages: headers, its handshake, slow start. Defaults are Linux's.
struct TcpOptions {
  Bytes mss_bytes = 1448;   // payload of a segment
  Bytes header_bytes = 66;  // of a segment: IPv4 20, TCP 32 with time stamps, Ethernet 14
  std::int64_t initial_window_segments = 10;
  Bytes window_bytes = 6'291'456;  // the longest window
  double growth = 2;               // of the window in a round trip of slow start; 1 to 2
  bool handshake = true;           // a round trip before the first message of a connection
  std::optional<Duration> idle_restart = Duration::nanoseconds(200'000'000);  // nothing: windows stay
};

}  // namespace lagnet
