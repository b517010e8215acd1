#include "sim/world/network.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

namespace lagnet::network_test {

namespace {

LinkSpec link(AgentId from, AgentId to, std::int64_t latency_ns = 0) {
  return {.from = from, .to = to, .latency = Duration::nanoseconds(latency_ns)};
}

std::vector<AgentId> list(std::span<const AgentId> agents) { return {agents.begin(), agents.end()}; }

}  // namespace

TEST_CASE("Neighbors are in ascending order, whatever the order of the links") {
  const Network network(4, {link(2, 0), link(0, 3), link(3, 0), link(0, 1), link(1, 0), link(0, 2)});
  CHECK(list(network.neighbors(0)) == std::vector<AgentId>{1, 2, 3});
  CHECK(list(network.neighbors(3)) == std::vector<AgentId>{0});
  CHECK(network.agents() == 4);
  CHECK(network.links() == 6);
}

TEST_CASE("A link knows its receiver, its attributes, and its sender's place among the receiver's neighbors") {
  const Network network(3, {link(0, 1, 5), link(1, 0, 6), link(1, 2, 7), link(2, 1, 8)});
  for (AgentId from = 0; from < 3; ++from) {
    const auto links = network.links_of(from);
    for (LinkId k = 0; k < links.size(); ++k) {
      const LinkId id = network.first_link(from) + k;
      CHECK(network.find(from, links[k].to) == id);
      CHECK(network.link(id).to == links[k].to);
      CHECK(network.neighbors(links[k].to)[links[k].slot_at_receiver] == from);
    }
  }
  CHECK(network.link(network.find(0, 1)).latency.ns() == 5);
  CHECK(network.link(network.find(1, 0)).latency.ns() == 6);
  CHECK(network.link(network.find(2, 1)).latency.ns() == 8);
}

TEST_CASE("Between agents that are not joined there is no link") {
  const Network network(3, {link(0, 1), link(1, 0)});
  CHECK(network.find(0, 2) == no_link);
  CHECK(network.find(2, 0) == no_link);
  CHECK(network.find(0, 0) == no_link);
  CHECK(network.find(0, 3) == no_link);  // no agents
  CHECK(network.find(3, 0) == no_link);
  CHECK(network.neighbors(2).empty());
}

TEST_CASE("Existing links are found among any number of neighbors, and missing ones are not") {
  for (AgentId degree = 1; degree <= 40; ++degree) {
    std::vector<LinkSpec> links;  // from agent 0 to every second one
    for (AgentId k = 1; k <= degree; ++k) {
      links.push_back(link(0, 2 * k));
      links.push_back(link(2 * k, 0));
    }
    const Network network(2 * degree + 2, links);
    for (AgentId to = 0; to < network.agents(); ++to) {
      INFO("agent " << to << " among " << degree << " neighbors");
      const bool is_neighbor = to > 0 && to % 2 == 0;
      CHECK(network.find(0, to) == (is_neighbor ? to / 2 - 1 : no_link));
    }
  }
}

TEST_CASE("A message travels for latency + bytes/bandwidth, to the nearest nanosecond") {
  const auto time = [](double bytes_per_s, Bytes size) {
    LinkSpec spec = link(0, 1);
    spec.latency = Duration::nanoseconds(1000);
    spec.bandwidth_bytes_per_s = bytes_per_s;
    const Network network(2, {spec, link(1, 0)});
    return Network::travel_time(network.link(network.find(0, 1)), size).ns();
  };
  CHECK(time(1e9, 0) == 1000);
  CHECK(time(1e9, 80) == 1080);
  CHECK(time(3e9, 10) == 1003);  // 3.3 ns
  CHECK(time(std::numeric_limits<double>::infinity(), Bytes{1} << 50) == 1000);
}

TEST_CASE("A message that has the way for itself goes as fast as the slowest of link and interfaces") {
  LinkSpec spec = link(0, 1);
  spec.bandwidth_bytes_per_s = 3e9;
  const auto narrowest = [&](Interface sender, Interface receiver) {
    const Network network(2, {spec, link(1, 0)}, {sender, receiver});
    return network.link(network.find(0, 1)).narrowest_bytes_per_s;
  };
  CHECK(narrowest({}, {}) == 3e9);
  CHECK(narrowest({.up_bytes_per_s = 2e9}, {}) == 2e9);
  CHECK(narrowest({.down_bytes_per_s = 1}, {.up_bytes_per_s = 1}) == 3e9);  // not on the way
  CHECK(narrowest({.up_bytes_per_s = 2e9}, {.down_bytes_per_s = 1e9}) == 1e9);
}

TEST_CASE("What limits, delays or loses messages has an effect, and a link that does nothing else has none") {
  std::vector<LinkSpec> links{link(0, 1), link(1, 0, 5), link(0, 2), link(2, 0), link(1, 2), link(2, 1)};
  links[2].bandwidth_bytes_per_s = 1e6;
  links[3].loss.probability = 0.1;
  links[4].queue = std::make_shared<QueueLimit>(QueueLimit{.bytes = {}, .messages = 1});
  Underlay beneath{.links = {{}}, .routes = {{}}, .detours = {}, .media = {}};
  beneath.media.push_back({.agents = {0, 1}, .bandwidth_bytes_per_s = 1e6});
  const Network network(3, links, {{.up_bytes_per_s = 1e6}, {}, {.down_bytes_per_s = 1e6}}, LinkDirections::both,
                        beneath);
  std::vector<ResourceId> with;
  for (ResourceId id = 0; id < network.resources(); ++id)
    if (network.has_effect(id)) with.push_back(id);
  const auto over = [&](AgentId from, AgentId to) { return network.over(network.find(from, to)); };
  CHECK(with == std::vector{network.up(0), network.down(2), over(0, 2), over(1, 0), over(1, 2), over(2, 0),
                            network.inner(0), network.medium(0)});
}

TEST_CASE("A medium does the work of its members' links, at the rate of each pair") {
  std::vector<LinkSpec> links{link(0, 1), link(1, 0), link(1, 2), link(2, 1), link(2, 3), link(3, 2)};
  for (LinkSpec& one : links) one.bandwidth_bytes_per_s = 1e6;
  links[0].bandwidth_bytes_per_s = 9e6;
  Underlay cell;
  cell.media.push_back({.agents = {0, 1}, .bandwidth_bytes_per_s = 3e6});
  const Network network(4, links, {}, LinkDirections::both, cell);
  const auto is_in_it = [&](AgentId from, AgentId to) { return network.passes_medium(network.find(from, to)); };
  CHECK(is_in_it(0, 1));
  CHECK(is_in_it(1, 2));  // out of it, and into it
  CHECK(is_in_it(2, 1));
  CHECK_FALSE(is_in_it(2, 3));
  const LinkId fast = network.find(0, 1), slow = network.find(1, 0), outside = network.find(2, 3);
  CHECK(network.rate(network.medium(0), fast) == 3e6);
  CHECK(network.rate(network.medium(0), slow) == 1e6);
  CHECK(network.rate(network.over(fast), fast) == std::numeric_limits<double>::infinity());
  CHECK(network.rate(network.over(outside), outside) == 1e6);
  CHECK_FALSE(Network(2, {link(0, 1), link(1, 0)}).passes_medium(0));
}

TEST_CASE("All faults of the links are reported at once") {
  LinkSpec slow = link(2, 1);
  slow.bandwidth_bytes_per_s = 0;
  CHECK_THROWS_WITH(Network(3, {link(0, 1), link(0, 1), link(1, 0, -4), link(1, 1), slow, link(2, 9)}),
                    "link 0 -> 1: given twice\n"
                    "link 1 -> 0: a negative latency\n"
                    "link 1 -> 1: joins an agent to itself\n"
                    "link 2 -> 1: a bandwidth that is not above 0\n"
                    "link 2 -> 1: no link the other way\n"
                    "link 2 -> 9: an end that is no agent\n"
                    "link 2 -> 9: no link the other way");
}

TEST_CASE("A bandwidth that is not a number is refused") {
  LinkSpec forth = link(0, 1);
  forth.bandwidth_bytes_per_s = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(Network(2, {forth, link(1, 0)}), std::invalid_argument);
}

}  // namespace lagnet::network_test
