#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/realtime/wire_config.hpp"
#include "tests/realtime/wire_host.hpp"
#include "tests/realtime/wire_link.hpp"

namespace lagnet::wire {

/// The hosts and what is on its way between them, on one thread.
class Network {
 public:
  /// `busy_wait`: this long before a packet is due the network stops sleeping and looks at the clock.
  Network(const Config& config, Nanos busy_wait);
  /// Forwards until `stop_signals`, a signalfd, has one, or nobody holds the other end of standard input any more.
  void run(int stop_signals);
  const std::vector<Host>& hosts() const { return hosts_; }
  /// What the links did, and which packets of hosts had no link.
  Json statistics() const;

 private:
  using Buffer = std::unique_ptr<std::byte[]>;
  struct Packet {
    Nanos due = 0;
    std::uint64_t number = 0;  // packets that are due at the same time leave in the order in which they came
    std::uint32_t link = 0;
    std::uint32_t bytes = 0;
    Buffer data;
  };
  static bool leaves_later(const Packet& a, const Packet& b) {
    return a.due != b.due ? a.due > b.due : a.number > b.number;
  }

  void watch(int fd, std::uint64_t what, std::uint32_t events);
  void read_from(std::size_t host);
  void forward(std::size_t host, Buffer data, std::size_t bytes);
  void hand_over_due();
  /// Sets the timer for the next packet; returns how long epoll may sleep: -1, as long as nothing happens, or 0.
  int set_timer();
  Buffer take_buffer();

  static constexpr std::int32_t no_link = -1;

  Config config_;
  Nanos busy_wait_;
  std::vector<Host> hosts_;
  std::vector<Link> links_;
  std::vector<std::array<std::int32_t, 256>> routes_;  // of each host: the link to the last byte of an address
  std::vector<std::uint64_t> without_link_;            // of each host: packets that no link takes
  std::vector<Packet> waiting_;                        // a heap; what is due first is on top
  std::vector<Buffer> spare_;
  std::uint64_t packets_ = 0;
  Nanos timer_ = 0;  // what the timer is set to
  Fd epoll_, timer_fd_;
};

}  // namespace lagnet::wire
