#include "sim/transport/tcp.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/sim/world.hpp"

namespace lagnet::tcp_test {

namespace {
using test::at;
using test::span;
constexpr std::int64_t ms = 1'000'000;

/// 10 ms and 12.5 MB/s each way.
const Network two(2, [] {
  std::vector<LinkSpec> links;
  test::join(links, 0, 1, 10 * ms, 12.5e6);
  return links;
}());
}  // namespace

TEST_CASE("a message has a header for each segment, and an empty one has one") {
  const TcpConnections tcp(two, {});
  CHECK(tcp.wire(100'000) == 100'000 + 70 * 66);
  CHECK(tcp.wire(1448) == 1514);
  CHECK(tcp.wire(0) == 66);
}

TEST_CASE("the first message waits for the handshake and for acknowledgments of windows of 10, 20, 40") {
  TcpConnections tcp(two, {});
  const auto first = tcp.depart(two.find(0, 1), 100'000, at(0));
  CHECK(first.at == at(20 * ms));
  CHECK(first.stall == span(18'909'920 + 17'698'720));  // R + tau - w tau with tau = 121,120 ns
  // The window of 80 is enough for the next one, and the other direction has its own, over the same connection.
  const auto next = tcp.depart(two.find(0, 1), 100'000, at(200 * ms));
  CHECK(next.at == at(200 * ms));
  CHECK(next.stall == span(0));
  CHECK(tcp.depart(two.find(1, 0), 14'480, at(300 * ms)).stall == span(0));
  CHECK(tcp.depart(two.find(1, 0), 14'480, at(300 * ms)).at == at(300 * ms));
}

TEST_CASE("what departs during the handshake waits for it") {
  TcpConnections tcp(two, {});
  tcp.depart(two.find(0, 1), 100, at(0));
  CHECK(tcp.depart(two.find(1, 0), 100, at(5 * ms)).at == at(20 * ms));
  CHECK(tcp.depart(two.find(1, 0), 100, at(21 * ms)).at == at(21 * ms));
  CHECK(TcpConnections(two, {.handshake = false}).depart(two.find(0, 1), 100, at(7)).at == at(7));
}

TEST_CASE("an idle window is halved, unless windows stay") {
  const auto stall_after = [](TcpOptions options, std::int64_t silent_ms) {
    options.handshake = false;
    TcpConnections tcp(two, options);
    tcp.depart(two.find(0, 1), 100'000, at(0));
    return tcp.depart(two.find(0, 1), 100'000, at(silent_ms * ms)).stall;
  };
  CHECK(stall_after({}, 200) == span(0));
  // Idle for 953 ms, four times 200 + 20 ms: 80, 40, 20, 10.
  CHECK(stall_after({}, 1000) == span(18'909'920 + 17'698'720));
  CHECK(stall_after({.idle_restart = {}}, 1000) == span(0));
}

}  // namespace lagnet::tcp_test
