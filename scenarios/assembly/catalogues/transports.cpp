#include "scenarios/format/kinds/transport_kinds.hpp"

namespace lagnet {

namespace {

std::optional<TcpOptions> make_transport(const NoTransportOptions&) { return {}; }

std::optional<TcpOptions> make_transport(const TcpTransportOptions& options) {
  TcpOptions made{.mss_bytes = options.mss_bytes,
                  .header_bytes = options.header_bytes,
                  .initial_window_segments = options.initial_window_segments,
                  .window_bytes = options.window_bytes,
                  .growth = options.growth,
                  .handshake = options.handshake,
                  .idle_restart = {}};
  if (options.idle_restart_ms) made.idle_restart = Duration::milliseconds(*options.idle_restart_ms);
  return made;
}

}  // namespace

const TransportFamily::Kinds& TransportFamily::catalogue() {
  static const Kinds all =
      Kinds::of<NoTransportOptions, TcpTransportOptions>([](const auto& options) { return make_transport(options); });
  return all;
}

}  // namespace lagnet
