#include "scenarios/run/network_remarks.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/sim/world.hpp"

namespace lagnet::free_neighbors_test {

namespace {

/// Agent 0 with three neighbors over links of 1000 B/s, to each of which it has sent 100 bytes.
Network star(std::vector<Interface> interfaces = {}) {
  std::vector<LinkSpec> links;
  for (const AgentId leaf : {1U, 2U, 3U}) {
    links.push_back({0, leaf, Duration::milliseconds(1), 1000});
    links.push_back({leaf, 0, Duration::milliseconds(1), 1000});
  }
  return Network(4, std::move(links), std::move(interfaces));
}

Ledger of_three_messages(const Network& network) {
  Ledger ledger(network.agents(), network.links());
  for (const AgentId to : {1U, 2U, 3U})
    ledger.on_event({.what = EventKind::sent, .agent = 0, .peer = to, .link = network.find(0, to), .amount = 100});
  return ledger;
}

}  // namespace

TEST_CASE("a remark says that many neighbors cost nothing if sharing is off") {
  const Network network = star();
  CHECK(free_neighbors(network, Sharing::none, of_three_messages(network), Time::nanoseconds(1'000'000'000))->text ==
        "messages do not share interfaces (network.sharing is none): up to 3 neighbors cost no more time than one");
}

TEST_CASE("a remark says that many neighbors cost nothing if interfaces without a bandwidth matter") {
  const Network network = star();
  const Ledger ledger = of_three_messages(network);
  // 300 bytes one after the other take 0.3 s, and 0.1 s over three links at once.
  CHECK(free_neighbors(network, Sharing::fifo, ledger, Time::nanoseconds(1'900'000'000))->text ==
        "interfaces have no bandwidth: up to 3 neighbors cost no more time than one; through interfaces as fast as a "
        "link the run would have taken up to 0.2 s longer (network.up_bytes_per_s, network.down_bytes_per_s)");
  CHECK(!free_neighbors(network, Sharing::fifo, ledger, Time::nanoseconds(2'100'000'000)));
  const Network limited = star(std::vector<Interface>(4, Interface{.up_bytes_per_s = 1000}));
  CHECK(!free_neighbors(limited, Sharing::fifo, ledger, Time::nanoseconds(1'900'000'000)));
}

TEST_CASE("a remark says that forwarding has no effect where messages do not go one after the other") {
  const std::string text = "network.forwarding and network.send_order have no effect where network.sharing is not fifo";
  CHECK(only_under_fifo({.sharing = Sharing::fair, .forwarding = Forwarding::store_and_forward})->text == text);
  CHECK(only_under_fifo({.sharing = Sharing::none, .send_order = SendOrder::ascending})->text == text);
  CHECK(!only_under_fifo({.sharing = Sharing::fifo, .forwarding = Forwarding::store_and_forward}));
  CHECK(!only_under_fifo({.sharing = Sharing::fair}));
}

TEST_CASE("with one neighbor there is nothing to share") {
  const Network pair(2, {{0, 1, Duration::milliseconds(1), 1000}, {1, 0, Duration::milliseconds(1), 1000}});
  CHECK(!free_neighbors(pair, Sharing::none, Ledger(2, 2), Time::nanoseconds(1)));
}

}  // namespace lagnet::free_neighbors_test
