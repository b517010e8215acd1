#include "scenarios/times/event_graph.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::event_graph_test {

using test::at;
using test::infinite;

namespace {

using Kind = Step::Kind;
using Times = std::vector<Time>;

/// Agents that report their start, and then in each round compute, exchange and report.
EventGraph exchanges(AgentId agents, Flops flops, Bytes bytes) {
  EventGraph graph;
  graph.first.assign(agents, {{{.kind = Kind::report}}});
  graph.every.assign(agents, {{.kind = Kind::compute, .amount = flops},
                              {.kind = Kind::broadcast, .amount = bytes},
                              {.kind = Kind::take_all},
                              {.kind = Kind::report}});
  return graph;
}

}  // namespace

TEST_CASE("Two agents that exchange go on with the slower of their messages") {
  const Network network(2, {{0, 1, test::span(300)}, {1, 0, test::span(700)}});
  const ComputeModel compute({1e9, 1e9});  // a flop takes a nanosecond
  const EventGraph graph = exchanges(2, 50, 8);
  // Agent 0 has its round r at the later of its own and the other's, which is 700 ns away. So rounds take turns: 750 ns
  // for agent 0 first, then 350 ns more for agent 1.
  Time zero = at(0), one = at(0);
  Times expected{at(0)};
  for (int round = 1; round <= 6; ++round) {
    const Time sent_by_zero = zero + test::span(50), sent_by_one = one + test::span(50);
    zero = std::max(sent_by_zero, sent_by_one + test::span(700));
    one = std::max(sent_by_one, sent_by_zero + test::span(300));
    expected.push_back(std::max(zero, one));
  }
  CHECK(round_times(graph, {network, compute, {.sharing = Sharing::none}}, 6) == expected);
  CHECK(expected[1] == at(750));
  CHECK(expected[2] == at(750 + 350));  // (700 + 50 + 300 + 50) for two rounds
  CHECK(steps_in_round(graph, network) == 8);
}

TEST_CASE("Messages of an interface and of a link set out one after the other where they share it in turn") {
  // 100 bytes take 100 ns through the interface of agent 0 and 200 ns over each of its links.
  std::vector<LinkSpec> links;
  for (AgentId to = 1; to <= 2; ++to) test::join(links, 0, to, 10, 0.5e9);
  std::vector<Interface> interfaces(3);
  interfaces[0].up_bytes_per_s = 1e9;
  const Network network(3, links, interfaces);
  const ComputeModel compute(std::vector<double>(3, infinite));
  EventGraph graph;
  graph.first.assign(3, {});
  graph.every = {{{.kind = Kind::broadcast, .amount = 100}, {.kind = Kind::broadcast, .amount = 100}},
                 {{.kind = Kind::take_all}, {.kind = Kind::take_all}, {.kind = Kind::report}},
                 {{.kind = Kind::take_all}, {.kind = Kind::take_all}, {.kind = Kind::report}}};
  // Through the interface until 100, 200, 300 and 400 ns; to agent 1 over the link until 200 and 400, to agent 2 from
  // the first bit at 100 until 300 and then until 500.
  CHECK(round_times(graph, {network, compute}, 0) == Times{at(510)});
  // Whole messages: to agent 1 over the link from 100 to 300 and from 300 to 500, to agent 2 from 200 to 400 and from
  // 400 to 600.
  const WorldModel whole{.sharing = Sharing::fifo, .forwarding = Forwarding::store_and_forward};
  CHECK(round_times(graph, {network, compute, whole}, 0) == Times{at(610)});
  // Alone, each takes 200 ns over the link, the slower of the two.
  CHECK(round_times(graph, {network, compute, {.sharing = Sharing::none}}, 0) == Times{at(210)});
}

TEST_CASE("Messages enter the interface of their receiver in the order of arrival") {
  // To agent 0 in 100 and 250 ns; each takes 200 ns through its interface.
  std::vector<Interface> interfaces(3);
  interfaces[0].down_bytes_per_s = 0.5e9;
  const Network network(3, test::star({250, 100}), interfaces);
  const ComputeModel compute(std::vector<double>(3, 1e9));
  EventGraph graph;
  const Steps send{{.kind = Kind::broadcast, .amount = 100}};
  graph.first = {{}, {send}, {send}};
  graph.every = {{{.kind = Kind::take, .link = network.find(1, 0)}, {.kind = Kind::report}}, {}, {}};
  // The message of agent 2 is through at 300 ns, the one of agent 1, which waits for it, at 500.
  CHECK(round_times(graph, {network, compute}, 0) == Times{at(500)});
}

TEST_CASE("A round without final messages has no time") {
  const Network network(2, test::line({5}));
  const ComputeModel compute({1e9, 1e9});
  EventGraph graph = exchanges(2, 1, 8);
  graph.every[1].erase(graph.every[1].begin() + 1);  // agent 1 sends nothing
  CHECK(round_times(graph, {network, compute}, 3).empty());
  graph.every.assign(2, {{.kind = Kind::compute, .amount = 1}});
  graph.first.assign(2, {});
  CHECK(round_times(graph, {network, compute}, 3).empty());  // no agent reports
}

TEST_CASE("Pauses take their time, and steps of one link wait only for its message") {
  const Network network(3, test::star({5, 900}));
  const ComputeModel compute(std::vector<double>(3, 1e9));
  EventGraph graph;
  graph.first.assign(3, {});
  const LinkId from_one = network.find(1, 0);
  graph.every = {{{.kind = Kind::take, .link = from_one}, {.kind = Kind::pause, .amount = 40}, {.kind = Kind::report}},
                 {{.kind = Kind::send, .link = from_one, .amount = 8}},
                 {{.kind = Kind::broadcast, .amount = 8}}};
  CHECK(round_times(graph, {network, compute, {.sharing = Sharing::none}}, 1) == Times{at(45), at(85)});
}

}  // namespace lagnet::event_graph_test
