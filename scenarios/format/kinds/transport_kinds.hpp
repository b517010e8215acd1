#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "scenarios/json/choice.hpp"
#include "sim/base/options.hpp"
#include "sim/world/tcp_options.hpp"

/// What carries messages from end to end.
namespace lagnet {

struct NoTransportOptions {
  static constexpr std::string_view kind = "none";
  static constexpr std::string_view summary = "messages as they are, over connections that are always open";
  static void fields(auto&, auto&) {}
};

struct TcpTransportOptions {
  static constexpr std::string_view kind = "tcp";
  static constexpr std::string_view summary =
      "TCP's headers, handshake, slow start and restart after idle times, one connection for each pair of agents";
  std::int64_t mss_bytes = 1448, header_bytes = 66, initial_window_segments = 10, window_bytes = 6'291'456;
  double growth = 2;
  bool handshake = true;
  std::optional<double> idle_restart_ms = 200;
  static void fields(auto& self, auto& field) {
    field("mss_bytes", self.mss_bytes, "payload of a segment, in bytes; 1460 without time stamps", within(1, 65'535));
    field("header_bytes", self.header_bytes,
          "headers of a segment, in bytes: 20 of IPv4, 32 of TCP with time stamps, 14 of Ethernet", within(0, 65'535));
    field("initial_window_segments", self.initial_window_segments,
          "segments that may be under way before the first acknowledgment", within(1, 65'535));
    field("window_bytes", self.window_bytes, "the longest window, in bytes", within(1, 1'000'000'000'000));
    field("growth", self.growth,
          "of the window in each round trip; 2, as Linux counts bytes; 1.5 where every second segment is acknowledged",
          within(1, 2));
    field("handshake", self.handshake, "a round trip before the first message of a connection");
    field("idle_restart_ms", self.idle_restart_ms,
          "idle time, beside a round trip, after which a window is halved, in ms; null: windows stay, as deployments "
          "set it",
          within(0, 1e9));
  }
  void check(auto& report) const {
    if (window_bytes / mss_bytes < initial_window_segments)
      report("window_bytes", "at least the initial window", window_bytes);
  }
};

struct TransportFamily {
  static constexpr std::string_view key = "kind", called = "transport", default_kind = "none";
  using Kinds = Catalogue<std::optional<TcpOptions>>;
  static const Kinds& catalogue();
};

}  // namespace lagnet
