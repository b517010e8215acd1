#include "scenarios/run/accounts_without_queues.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/sim/world.hpp"

namespace lagnet::accounts_without_queues_test {

namespace {

using test::at;
using test::span;

/// Agents 0 and 1 send to agent 2 over an inner link, on which a byte takes 1 ns, and through its interface, where one
/// takes 2 ns.
Network over_one() {
  std::vector<LinkSpec> links;
  for (const AgentId from : {0, 1}) {
    test::join(links, from, 2, 5);
    links[links.size() - 2].route = 1;
  }
  const Underlay::InnerLink inner{.latency = span(10), .bandwidth_bytes_per_s = 1e9};
  return Network(3, links, {{}, {}, {.down_bytes_per_s = 0.5e9}}, LinkDirections::both,
                 {.links = {inner}, .routes = {{}, {0}}, .detours = {}, .media = {}});
}

struct HarmlessRule final : FaultRule {
  void judge(const Transmission&, Fate&) const override {}
};

/// Messages of 80 and 800 bytes from each, at one moment; broadcasts; and one that the end of the run cuts off.
Task<> send_some(Agent& me) {
  for (const Index scalars : {10, 100}) me.send(2, 0, Vector::Zero(scalars));
  co_await me.sleep(span(5000));
  me.broadcast(1, Vector::Zero(20));
  co_await me.sleep(span(5000));
  me.send(2, 2, Vector::Zero(20));
}

}  // namespace

TEST_CASE("without queues and losses the ledger knows what messages did at each resource") {
  std::vector<std::uint64_t> hashes;
  std::vector<AccountsOfResources> all;
  for (const bool has_transport : {false, true}) {
    SimulationOptions options{.end = at(10'100), .model = {.sharing = Sharing::none}};
    if (has_transport) options.model.faults.push_back(std::make_shared<HarmlessRule>());
    const Network network = over_one();
    test::World world(network, options);
    std::vector<test::Seen> seen;
    for (const AgentId a : {0U, 1U}) world.spawn(a, send_some(world.agent(a)));
    world.spawn(2, test::only_sleep(world.agent(2), span(20'000)));
    world.run();
    const auto known = world.sim.resource_accounts();
    CHECK(known.has_value() == has_transport);
    all.push_back(known ? *known : accounts_of(network, world.ledger));
    hashes.push_back(world.trace.hash());
  }
  CHECK(hashes[0] == hashes[1]);
  CHECK(all[0] == all[1]);
  const Network network = over_one();
  REQUIRE(all[0].size() == 6);  // the interface, four links that delay, and the inner link
  CHECK(all[0].front() ==
        std::pair(network.down(2), ResourceAccount{.messages = 6, .bytes = 2080, .busy = span(2 * 2080)}));
  CHECK(all[0].back() ==
        std::pair(network.inner(0), ResourceAccount{.messages = 6, .bytes = 2080, .busy = span(2080)}));
}

}  // namespace lagnet::accounts_without_queues_test
