#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/base/remark.hpp"
#include "sim/base/types.hpp"
#include "sim/realtime/linked_processes.hpp"
#include "sim/realtime/peers.hpp"

namespace lagnet {

/// The order in which pairs are measured: pairs that share no process are adjacent as far as possible (a greedy
/// coloring of the edges), so that many are measured at once.
std::vector<ProcessPair> measuring_order(std::vector<ProcessPair> pairs);

/// The bytes of a message over a connection beside its numbers.
constexpr Bytes message_header_bytes = 92;

/// A process's measurements of its path to another one.
struct MeasuredWay {
  std::uint32_t to = 0;
  double round_trip_s = 0;  // of a message with one number, and its answer: the smaller of two medians
  std::int64_t round_trips = 0;
  double bytes_per_s = 0;  // of large messages with their headers, one after the other
  std::int64_t bytes = 0;  // sent for it in all
};

struct LinkMeterOptions {
  PeersOptions peers;
  std::vector<ProcessPair> order;              // of all processes, the same for each
  std::chrono::milliseconds time{500};         // for round trips, and about as much for a transfer
  std::chrono::milliseconds patience{30'000};  // with another process
  std::function<void(const Remark&)> warn = {};
};

/// Measures the paths from one process to the others, over the connections that its agents' messages take. No process
/// is part of two measurements at once: each goes through its pairs in the same order, and when both sides reach a
/// pair, each of them measures in turn. Everything happens on the thread that calls run().
class LinkMeter {
 public:
  /// Throws RunError where it cannot listen.
  explicit LinkMeter(LinkMeterOptions options);
  /// Throws RunError where other processes are not there in time or belong to another run.
  std::vector<MeasuredWay> run();

 private:
  using Clock = Connection::Clock;
  struct Came {
    Message message;
    Clock::time_point at;
  };
  enum class Word : std::uint8_t { ready, ping, answer, part, transferred, done };
  void came(std::uint32_t peer, const Frame& frame);
  void send(std::uint32_t peer, Word word, const Payload& numbers);
  Came take(std::uint32_t peer);
  Came take(std::uint32_t peer, Word expected);
  void wait_until(const std::function<bool()>& is_over);
  MeasuredWay measure(std::uint32_t peer);
  double round_trip_s(std::uint32_t peer, MeasuredWay& way);
  double transfer_bytes_per_s(std::uint32_t peer, MeasuredWay& way);
  void serve(std::uint32_t peer);

  LinkMeterOptions options_;
  boost::asio::io_context context_{1};
  std::map<std::uint32_t, std::deque<Came>> inbox_;
  Peers peers_;
};

}  // namespace lagnet
