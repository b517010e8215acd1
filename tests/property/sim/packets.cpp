#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/draws.hpp"
#include "tests/unit/sim/world.hpp"

/// Messages under fifo against packets of 1,500 bytes, each of which goes on when all of it is there.
namespace lagnet::packets_test {

namespace {

struct Sent {
  AgentId from = 0;
  AgentId to = 0;
  Index scalars = 0;
  Time ready;
  Bytes bytes() const { return 8 * scalars; }
};

struct Case {
  Network network;
  std::vector<Sent> messages;  // by time, those of one time in the order of sending
};

/// A packet comes to a place of its message's path. Those of one time go on by message, and in it by number.
struct Packet {
  Time at;
  std::size_t message = 0;
  Bytes number = 0;
  std::size_t place = 0;
  bool operator>(const Packet& other) const {
    return std::tie(at, message, number) > std::tie(other.at, other.message, other.number);
  }
};

/// When the last packet is there.
Time last_packet(const Case& world) {
  constexpr Bytes size = 1500;
  const Network& network = world.network;
  std::priority_queue<Packet, std::vector<Packet>, std::greater<>> under_way;
  for (std::size_t m = 0; m < world.messages.size(); ++m)
    for (Bytes k = 0; k * size < world.messages[m].bytes(); ++k) under_way.push({world.messages[m].ready, m, k, 0});
  std::vector<Time> free(network.resources());
  Time last;
  while (!under_way.empty()) {
    Packet one = under_way.top();
    under_way.pop();
    const Sent& message = world.messages[one.message];
    const LinkId link = network.find(message.from, message.to);
    const ResourceId here = network.on_path(message.from, link, one.place);
    const Bytes bytes = std::min(size, message.bytes() - one.number * size);
    free[here] = std::max(one.at, free[here]) + Network::transmission_time(bytes, network.rate(here));
    one.at = network.is_link(here) ? free[here] + network.latency(here, free[here]) : free[here];
    if (++one.place < network.path_length(link))
      under_way.push(one);
    else
      last = std::max(last, one.at);
  }
  return last;
}

Task<> send_all(Agent& me, std::vector<Sent> messages) {
  for (const Sent& one : messages) {
    if (one.ready > me.now()) co_await me.sleep(one.ready - me.now());
    me.send(one.to, 0, Vector::Zero(one.scalars));
  }
}

Task<> receive_all(Agent& me, std::vector<Sent> messages, std::size_t count) {
  const auto of_me = [&](const Sent& one) { return one.from != me.id(); };
  std::erase_if(messages, of_me);
  co_await send_all(me, messages);
  for (std::size_t k = 0; k < count; ++k) co_await me.receive();
}

/// When the last message is there.
Time last_message(const Case& world, Forwarding forwarding) {
  test::World simulation(world.network, {.model = {.sharing = Sharing::fifo, .forwarding = forwarding}});
  for (AgentId a = 0; a < world.network.agents(); ++a) {
    const auto is_for = [&](const Sent& one) { return one.to == a; };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(world.messages, is_for));
    simulation.spawn(a, receive_all(simulation.agent(a), world.messages, count));
  }
  simulation.run();
  return std::ranges::max(simulation.log.times(EventKind::delivered));
}

double over_decades(Draws& draws, double low, double high) { return low * std::pow(high / low, draws.uniform()); }

/// Links between all agents, behind routes that `route` gives by sender and receiver.
std::vector<LinkSpec> all_links(AgentId agents, const std::function<std::uint32_t(AgentId, AgentId)>& route) {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < agents; ++a)
    for (AgentId b = 0; b < agents; ++b)
      if (a != b) links.push_back({.from = a, .to = b, .route = route(a, b)});
  return links;
}

/// Agents on switches that are joined by a switch in the middle, or, if there are two of them, by one link.
Network over_switches(Draws& draws, AgentId agents, std::uint32_t switches, const std::vector<Interface>& interfaces) {
  Underlay underlay;
  const std::uint32_t trunks = switches == 2 ? 2 : 2 * switches;  // of each direction
  for (std::uint32_t k = 0; k < trunks; ++k)
    underlay.links.push_back({.latency = Duration::milliseconds(draws.uniform(0, 10)),
                              .bandwidth_bytes_per_s = over_decades(draws, 5e5, 5e6)});
  for (std::uint32_t from = 0; from < switches; ++from)
    for (std::uint32_t to = 0; to < switches; ++to) {
      if (from == to)
        underlay.routes.emplace_back();
      else if (switches == 2)
        underlay.routes.push_back({from});
      else
        underlay.routes.push_back({from, switches + to});
    }
  const auto at = [&](AgentId agent) { return agent % switches; };
  return Network(agents, all_links(agents, [&](AgentId a, AgentId b) { return at(a) * switches + at(b); }), interfaces,
                 LinkDirections::both, underlay);
}

/// Agents of a flat network, on two switches, or on three around one; rounds of a star, of a ring, or any messages.
Case drawn(Draws& draws) {
  const auto agents = static_cast<AgentId>(5 + draws.below(6));
  std::vector<Interface> interfaces(agents);
  const double usual = over_decades(draws, 3e5, 3e6);
  const bool are_equal = draws.bernoulli(0.5);
  for (Interface& one : interfaces) {
    one.up_bytes_per_s = are_equal ? usual : usual * over_decades(draws, 0.3, 3);
    one.down_bytes_per_s = are_equal ? usual : usual * over_decades(draws, 0.3, 3);
  }
  const std::uint64_t kind = draws.below(3);
  Case made{kind == 0 ? Network(agents, all_links(agents, [](AgentId, AgentId) { return 0; }), interfaces)
                      : over_switches(draws, agents, kind == 1 ? 2 : 3, interfaces),
            {}};
  const std::uint64_t pattern = draws.below(4);
  const double spread_s = draws.bernoulli(0.5) ? 0 : 0.5;
  const auto scalars = static_cast<Index>(over_decades(draws, 1e4, 4e4));
  const auto send = [&](AgentId from, AgentId to, Time ready) { made.messages.push_back({from, to, scalars, ready}); };
  for (AgentId a = 0; a < agents; ++a) {
    const Time ready = Time() + Duration::seconds(spread_s * draws.uniform());
    if (pattern == 0 && a > 0) send(0, a, Time());
    if (pattern == 1 && a > 0) send(a, 0, ready);
    if (pattern == 2) send(a, (a + 1) % agents, ready);
    if (pattern == 2) send(a, (a + agents - 1) % agents, ready);
    for (int k = 0; pattern == 3 && k < 4; ++k)
      send(a, (a + 1 + static_cast<AgentId>(draws.below(agents - 1))) % agents, ready);
  }
  std::ranges::stable_sort(made.messages, {}, &Sent::ready);
  return made;
}

}  // namespace

TEST_CASE("the last message comes when the last packet does") {
  constexpr int cases = 200;
  double sum = 0, worst = 0, sum_of_whole = 0;
  for (int k = 0; k < cases; ++k) {
    Draws draws(static_cast<std::uint64_t>(k), Purpose{"packets"});
    const Case world = drawn(draws);
    const double packets = last_packet(world).in_seconds();
    const auto error = [&](Forwarding forwarding) {
      return std::abs(last_message(world, forwarding).in_seconds() / packets - 1);
    };
    const double of_bits = error(Forwarding::cut_through);
    CAPTURE(k, packets, of_bits);
    CHECK(of_bits <= 0.1);
    sum += of_bits;
    worst = std::max(worst, of_bits);
    sum_of_whole += error(Forwarding::store_and_forward);
  }
  CAPTURE(worst);
  CHECK(sum / cases <= 0.01);
  CHECK(sum_of_whole / cases >= 10 * sum / cases);  // whole messages are what differs
}

}  // namespace lagnet::packets_test
