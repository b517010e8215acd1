#include "sim/transport/tcp.hpp"

#include <algorithm>
#include <cmath>

namespace lagnet {

TcpConnections::TcpConnections(const Network& network, const TcpOptions& options)
    : network_(network),
      options_(options),
      longest_window_(options.window_bytes / options.mss_bytes),
      directions_(network.links(), Direction{.window = options.initial_window_segments}) {}

/// Linux halves the window for each restart time that has passed, down to the initial one.
std::int64_t TcpConnections::after_idle(const Direction& of, Time departure, Duration round_trip) const {
  if (!of.has_sent || !options_.idle_restart || departure <= of.busy_until) return of.window;
  std::int64_t window = of.window;
  for (std::int64_t times = (departure - of.busy_until).ns() / (*options_.idle_restart + round_trip).ns();
       times > 0 && window > options_.initial_window_segments; --times)
    window /= 2;
  return std::max(window, options_.initial_window_segments);
}

/// (6.1): after each window the sender waits for the first acknowledgment, unless the window takes longer to send.
Duration TcpConnections::stall(std::int64_t window, std::int64_t segments, Duration round_trip,
                               Duration segment) const {
  Duration sum;
  for (std::int64_t sent = window; sent < segments; sent += window) {
    const Duration wait = round_trip + segment - Duration::nanoseconds(window * segment.ns());
    sum += std::max(Duration(), wait);
    const auto grown = static_cast<std::int64_t>(std::floor(options_.growth * static_cast<double>(window)));
    window = std::min(longest_window_, grown);
  }
  return sum;
}

TcpConnections::Departure TcpConnections::depart(LinkId link, Bytes bytes, Time now) {
  const AgentId from = network_.sender(link), to = network_.link(link).to;
  const LinkId back = network_.find(to, from);
  const auto [there_ns, rate] = network_.path_at(link, now);
  const Duration round_trip = there_ns + (back == no_link ? there_ns : network_.path_at(back, now).latency);
  Direction& own = directions_[link];
  const std::int64_t segments = this->segments(bytes);
  Departure made;
  if (options_.handshake && !own.is_open) {
    own.is_open = true;
    own.open_from = saturated(now, round_trip);
    if (back != no_link) directions_[back].is_open = true;
    if (back != no_link) directions_[back].open_from = own.open_from;
  }
  made.at = std::max(now, own.open_from);
  const Duration segment = Duration::seconds(static_cast<double>(options_.mss_bytes + options_.header_bytes) / rate);
  const std::int64_t window = after_idle(own, made.at, round_trip);
  made.stall = stall(window, segments, round_trip, segment);
  const auto grown =
      window + static_cast<std::int64_t>(std::floor(static_cast<double>(segments) * (options_.growth - 1)));
  const std::int64_t used = segments > window ? grown : std::max(window, std::min(grown, 2 * segments));
  own.window = std::min(used, longest_window_);
  const Duration sending = made.stall + Duration::seconds(static_cast<double>(wire(bytes)) / rate);
  own.busy_until = std::max(own.busy_until, saturated(made.at, sending));
  own.has_sent = true;
  return made;
}

}  // namespace lagnet
