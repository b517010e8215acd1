#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/world/network.hpp"

namespace lagnet::network_one_way_test {

namespace {

LinkSpec arc(AgentId from, AgentId to, std::int64_t latency_ns = 0) {
  return {.from = from, .to = to, .latency = Duration::nanoseconds(latency_ns)};
}

std::vector<AgentId> list(std::span<const AgentId> agents) { return {agents.begin(), agents.end()}; }

Network digraph(AgentId agents, std::vector<LinkSpec> arcs) {
  return Network(agents, std::move(arcs), {}, LinkDirections::any);
}

}  // namespace

TEST_CASE("Links without opposites distinguish out-neighbors from in-neighbors") {
  const Network network = digraph(4, {arc(2, 0), arc(0, 3), arc(0, 1), arc(1, 2), arc(3, 2), arc(1, 0)});
  CHECK(network.is_directed());
  CHECK(network.links() == 6);
  CHECK(list(network.neighbors(0)) == std::vector<AgentId>{1, 3});
  CHECK(list(network.in_neighbors(0)) == std::vector<AgentId>{1, 2});
  CHECK(list(network.neighbors(2)) == std::vector<AgentId>{0});
  CHECK(list(network.in_neighbors(2)) == std::vector<AgentId>{1, 3});
  CHECK(network.find(0, 2) == no_link);
  CHECK(network.find(2, 0) != no_link);
  CHECK(network.sender(network.find(3, 2)) == 3);
}

TEST_CASE("In random digraphs every link knows the place of its sender among those whom its receiver hears") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Draws draws(seed, Purpose{"arcs"});
    const auto agents = static_cast<AgentId>(2 + draws.below(12));
    std::vector<LinkSpec> arcs;
    std::vector<std::vector<AgentId>> heard(agents);
    for (AgentId from = 0; from < agents; ++from)
      for (AgentId to = 0; to < agents; ++to)
        if (from != to && draws.bernoulli(0.4)) {
          arcs.push_back(arc(from, to, from + 100 * to));
          heard[to].push_back(from);
        }
    const Network network = digraph(agents, arcs);
    CAPTURE(seed);
    for (AgentId agent = 0; agent < agents; ++agent) {
      CHECK(list(network.in_neighbors(agent)) == heard[agent]);
      for (LinkId k = 0; k < network.links_of(agent).size(); ++k) {
        const Link& link = network.links_of(agent)[k];
        CHECK(network.in_neighbors(link.to)[link.slot_at_receiver] == agent);
        CHECK(link.latency.ns() == agent + 100 * link.to);
        CHECK(network.find(agent, link.to) == network.first_link(agent) + k);
      }
    }
  }
}

TEST_CASE("A network whose links may go one way and none does is like one where none may") {
  const Network network = digraph(3, {arc(0, 1), arc(1, 0), arc(1, 2), arc(2, 1)});
  CHECK_FALSE(network.is_directed());
  CHECK(network.in_neighbors(1).data() == network.neighbors(1).data());
  CHECK(network.link(network.find(2, 1)).slot_at_receiver == 1);
}

TEST_CASE("A link without opposite is refused unless links may go one way and other faults are refused everywhere") {
  CHECK_THROWS_WITH(Network(2, {arc(0, 1)}), "link 0 -> 1: no link the other way");
  CHECK_THROWS_WITH(digraph(2, {arc(0, 1), arc(0, 1), arc(1, 1), arc(1, 2)}),
                    "link 0 -> 1: given twice\n"
                    "link 1 -> 1: joins an agent to itself\n"
                    "link 1 -> 2: an end that is no agent");
  CHECK(digraph(2, {}).in_neighbors(1).empty());
}

}  // namespace lagnet::network_one_way_test
