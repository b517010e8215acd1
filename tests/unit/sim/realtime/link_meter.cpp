#include "sim/realtime/link_meter.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <exception>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "sim/realtime/addresses.hpp"
#include "sim/realtime/frames/frame.hpp"

namespace lagnet::link_meter_test {

namespace {

/// What each process measures, or why it cannot; the processes are threads here.
struct Found {
  std::vector<MeasuredWay> ways;
  std::string error;
};

std::vector<Found> measured(std::uint32_t processes, const std::vector<ProcessPair>& pairs,
                            const std::map<std::uint32_t, std::byte>& of_others = {}) {
  LoopbackListeners listeners(processes);
  std::vector<Found> found(processes);
  std::vector<std::thread> threads;
  for (std::uint32_t k = 0; k < processes; ++k)
    threads.emplace_back([&, k] {
      LinkMeterOptions options;
      options.peers.process = k;
      options.peers.addresses = listeners.addresses();
      options.peers.peers = partners_of(k, pairs);
      options.peers.listener = listeners.take(k);
      options.peers.first_retry = std::chrono::milliseconds(1);
      if (of_others.contains(k)) options.peers.scenario.fill(of_others.at(k));
      options.order = measuring_order(pairs);
      options.time = std::chrono::milliseconds(1);
      options.patience = std::chrono::milliseconds(of_others.empty() ? 120'000 : 500);
      try {
        found[k].ways = LinkMeter(std::move(options)).run();
      } catch (const std::exception& error) {
        found[k].error = error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  return found;
}

}  // namespace

TEST_CASE("pairs without a common process are measured side by side") {
  CHECK(measuring_order({{1, 2}, {0, 1}, {2, 3}, {0, 3}}) == std::vector<ProcessPair>{{0, 1}, {2, 3}, {0, 3}, {1, 2}});
  CHECK(measuring_order({{0, 2}, {0, 1}}) == std::vector<ProcessPair>{{0, 1}, {0, 2}});
  CHECK(measuring_order({}).empty());
}

TEST_CASE("every process measures the way to each of its neighbors", "[threads]") {
  const std::vector<ProcessPair> pairs{{0, 1}, {0, 2}, {1, 2}, {2, 3}};
  const auto found = measured(4, pairs);
  for (std::uint32_t k = 0; k < 4; ++k) {
    CHECK(found[k].error.empty());
    std::vector<std::uint32_t> to;
    for (const MeasuredWay& way : found[k].ways) {
      to.push_back(way.to);
      CHECK(std::isfinite(way.round_trip_s));
      CHECK(way.round_trip_s > 0);
      CHECK(std::isfinite(way.bytes_per_s));
      CHECK(way.bytes_per_s > 0);
      CHECK(way.round_trips >= 10);
      CHECK(way.bytes > 0);
    }
    CHECK(to == partners_of(k, pairs));
  }
}

TEST_CASE("a process without neighbors has nothing to measure") {
  const auto found = measured(1, {});
  CHECK(found[0].error.empty());
  CHECK(found[0].ways.empty());
}

TEST_CASE("processes of different scenarios do not measure each other", "[threads]") {
  const auto found = measured(2, {{0, 1}}, {{1, std::byte{7}}});
  CHECK(found[1].error.find("runs another scenario") != std::string::npos);
  CHECK(found[0].error.find("no connection to process 1") != std::string::npos);
}

TEST_CASE("a message with numbers is as much larger as is billed") {
  Message message(0, 1, 0, Vector::Zero(100));
  const OutgoingFrame frame = OutgoingFrame::message({.kind = FrameKind::message, .sequence = 1}, 0, Time(), message);
  CHECK(static_cast<Bytes>(frame.size()) == message_header_bytes + Bytes{8} * 100);
}

}  // namespace lagnet::link_meter_test
