#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/agents/agent.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_takes_test {

using namespace lagnet::test;

namespace {

/// What agents take, by time and agent, that of one agent in its order.
class Takes : public Listener {
 public:
  void on_event(const SimEvent& what) override { all.push_back(what); }
  bool wants(EventKind what) const override { return what == EventKind::took; }
  std::vector<std::string> told() const {
    std::vector<std::string> lines;
    std::vector<SimEvent> sorted = all;
    std::ranges::stable_sort(sorted, {}, [](const SimEvent& one) { return std::pair(one.at, one.agent); });
    for (const SimEvent& one : sorted)
      lines.push_back(fmt::format("{} from {}, round {}, at {}", one.agent, one.peer, one.round, one.at.ns()));
    return lines;
  }
  std::vector<SimEvent> all;
};

Task<> exchange_twice(Agent& me) {
  co_await me.neighbor_sum(scalar(1));
  co_await me.exchange(scalar(2));
}

Task<> ask_and_collect(Agent& me) {
  for (const AgentId to : me.neighbors()) me.send(to, 3, scalar(1));
  const std::vector<AgentId> all(me.neighbors().begin(), me.neighbors().end());
  co_await me.collect(3, all);
}

Task<> answer_newest(Agent& me) {
  const Message request = co_await me.receive_latest();
  co_await me.sleep(span(me.id() == 1 ? 500 : 0));
  me.answer(request, scalar(2));
}

}  // namespace

TEST_CASE("A listener on request hears of messages taken, their sender and the time") {
  using Lines = std::vector<std::string>;
  World peers(3, line({100, 250}));
  Takes among_peers;
  peers.sim.listen(among_peers);
  for (AgentId id = 0; id < 3; ++id) peers.spawn(id, exchange_twice(peers.agent(id)));
  peers.run();
  CHECK(among_peers.told() == Lines{"0 from 1, round 0, at 100", "1 from 0, round 0, at 250",
                                    "1 from 2, round 0, at 250", "2 from 1, round 0, at 250",
                                    "0 from 1, round 0, at 350", "1 from 0, round 0, at 500",
                                    "1 from 2, round 0, at 500", "2 from 1, round 0, at 500"});

  World star_of_two(3, star({100, 300}));
  Takes around_server;
  star_of_two.sim.listen(around_server);
  star_of_two.spawn(0, ask_and_collect(star_of_two.agent(0)));
  for (AgentId id = 1; id < 3; ++id) star_of_two.spawn(id, answer_newest(star_of_two.agent(id)));
  star_of_two.run();
  CHECK(around_server.told() == Lines{"1 from 0, round 3, at 100", "2 from 0, round 3, at 300",
                                      "0 from 2, round 3, at 700", "0 from 1, round 3, at 700"});
}

TEST_CASE("Accounts and traces do not hear of messages taken, so they change no hash") {
  World world(3, line({100, 250})), heard(3, line({100, 250}));
  Takes takes;
  heard.sim.listen(takes);
  for (World* one : {&world, &heard}) {
    for (AgentId id = 0; id < 3; ++id) one->spawn(id, exchange_twice(one->agent(id)));
    one->run();
    CHECK(one->log.times(EventKind::took).empty());
  }
  CHECK(takes.all.size() == 8);
  CHECK(world.trace.hash_text() == heard.trace.hash_text());
}

}  // namespace lagnet::agent_takes_test
