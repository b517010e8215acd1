#include "algorithms/peers/compressed/difference_exchange.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::difference_exchange_test {

using namespace lagnet::test;

TEST_CASE("gamma of theory is that of theorem 2 by hand") {
  NetworkFacts facts{.agents = 2, .gossip_rho = 0.5, .gossip_lowest = 0};
  // rho = 1/2, beta = 1, delta = 1/4: (1/16) / (8 + 1/4 + 4 + 1 - 1)
  CHECK(choco_gamma(facts, 0.25) == Approx(0.0625 / 12.25).epsilon(1e-15));
  facts.agents = 1;
  CHECK(choco_gamma(facts, 0.25) == 1);
}

TEST_CASE("differences are not exchanged where gossip reaches not everybody") {
  PeerBench bench = ring_bench(1);
  MethodInput given = bench.assignment();
  given.network.gossip_rho = 1;
  CHECK_THROWS_AS(DifferenceExchange(IdentityOptions{}, given), Diagnosed);
  given.network.gossip_rho = 0.5;
  CHECK_THROWS_AS(DifferenceExchange(TopKOptions{}, given), Diagnosed);
}

TEST_CASE("a message of two vectors fills bytes together") {
  const PeerBench bench = ring_bench(1);
  const DifferenceExchange exchange(TopKOptions{.k = 1}, bench.assignment());  // 64 + 2 bits
  CHECK(exchange.Q().bytes(8) == 9);
  CHECK(exchange.Q().bytes(8, 2) == 17);
  CHECK(exchange.Q().bytes(2) == 3);
  CHECK(exchange.work(3, 2, 1, 0).flops == 3 * 4 + 2 + (4 + 4));
}

}  // namespace lagnet::difference_exchange_test
