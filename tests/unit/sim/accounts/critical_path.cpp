#include "sim/accounts/critical_path.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "tests/unit/sim/world.hpp"

namespace lagnet::critical_path_test {

using namespace lagnet::test;

namespace {

/// A world with its path, by the names of agents and resources: "up 0", "0->1".
struct PathWorld : World {
  explicit PathWorld(const Network& network, SimulationOptions options = {},
                     std::vector<double> speeds = std::vector<double>())
      : World(network, ComputeModel(speeds.empty() ? std::vector<double>(network.agents(), 1e9) : speeds), options),
        path(sim.network(), sim.model()) {
    sim.listen(path);
  }

  std::string name_of(PathKind kind, std::uint32_t of) const {
    const Network& network = sim.network();
    const AgentId agents = network.agents();
    if (is_of_agent(kind)) return fmt::format("{} {}", name(kind), of);
    if (of < agents) return fmt::format("{} up {}", name(kind), of);
    if (of < 2 * agents) return fmt::format("{} down {}", name(kind), of - agents);
    const LinkId link = of - 2 * agents;
    return fmt::format("{} {}->{}", name(kind), network.sender(link), network.link(link).to);
  }
  std::map<std::string, std::int64_t> sums() const {
    std::map<std::string, std::int64_t> all;
    for (const auto& [kind, of, time] : path.sums().parts) all[name_of(kind, of)] = time.ns();
    return all;
  }

  CriticalPath path;
};
using Sums = std::map<std::string, std::int64_t>;

constexpr int rounds = 4;

Task<> serve(Agent& me) {
  const std::vector<AgentId> cohort(me.neighbors().begin(), me.neighbors().end());
  for (Round t = 1; t <= rounds; ++t) {
    me.broadcast(t, Vector::Zero(100));
    co_await me.collect(t, cohort);
    me.report(t);
  }
}

Task<> answer(Agent& me) {
  for (;;) {
    const Message asked = co_await me.receive();
    co_await me.compute(500);
    me.send(0, asked.round, asked.body);
  }
}

Task<> exchange(Agent& me, Flops flops, int times = rounds) {
  for (Round t = 1; t <= times; ++t) {
    co_await me.compute(flops);
    co_await me.exchange(scalar(0));
    me.report(t);
  }
}

Task<> report_after_message(Agent& me) {
  co_await me.receive();
  me.report(1);
}

Task<> report_after_work(Agent& me, Flops flops) {
  co_await me.compute(flops);
  me.report(1);
}

/// Loses what is sent for the first time.
class FirstLost final : public FaultRule {
 public:
  void judge(const Transmission& what, Fate& fate) const override {
    if (what.attempt == 0) fate.lost = Cause::loss;
  }
  bool loses() const override { return true; }
};

}  // namespace

TEST_CASE("Behind a narrow up-link of the server the path has its queue and its transfers") {
  // 800 bytes to each of two clients over 0.1 bytes/ns: the second one waits 8000 ns for the first. Then 8000 ns for
  // its own, 1000 ns of latency, 500 ns of work, and 1000 ns of latency back.
  std::vector<Interface> interfaces(3);
  interfaces[0].up_bytes_per_s = 0.1e9;
  PathWorld world(Network(3, star({1000, 1000}), interfaces), {.model = {.sharing = Sharing::fifo}});
  world.spawn(0, serve(world.agent(0)));
  for (const AgentId client : {1u, 2u}) world.spawn_daemon(client, answer(world.agent(client)));
  world.run();
  CHECK(world.path.sums().until == at(rounds * 18'500));
  CHECK(world.path.sums().reporter == 0);
  CHECK(world.sums() == Sums{{"queueing up 0", rounds * 8000},
                             {"transfer up 0", rounds * 8000},
                             {"latency 0->2", rounds * 1000},
                             {"computing 2", rounds * 500},
                             {"latency 2->0", rounds * 1000}});
}

TEST_CASE("A narrow down-link of the server has the queue of the answers") {
  // Both answers come at 1000 ns + 500 ns + 1000 ns, and take 8000 ns each, one after the other.
  std::vector<Interface> interfaces(3);
  interfaces[0].down_bytes_per_s = 0.1e9;
  PathWorld world(Network(3, star({1000, 1000}), interfaces), {.model = {.sharing = Sharing::fifo}});
  world.spawn(0, serve(world.agent(0)));
  for (const AgentId client : {1u, 2u}) world.spawn_daemon(client, answer(world.agent(client)));
  world.run();
  CHECK(world.sums() == Sums{{"queueing down 0", rounds * 8000},
                             {"transfer down 0", rounds * 8000},
                             {"latency 0->2", rounds * 1000},
                             {"computing 2", rounds * 500},
                             {"latency 2->0", rounds * 1000}});
}

TEST_CASE("In a ring with one slow agent its computing is all but one latency of the path") {
  PathWorld world(Network(4, ring({100, 100, 100, 100})), {}, {1e9, 1e9, 1e8, 1e9});
  for (AgentId a = 0; a < 4; ++a) world.spawn(a, exchange(world.agent(a), 1000));
  world.run();
  CHECK(world.sums() == Sums{{"computing 2", rounds * 10'000}, {"latency 2->3", 100}});
}

TEST_CASE("A long link is on the path in both directions in turn") {
  PathWorld world(Network(3, line({10, 5000})));
  for (AgentId a = 0; a < 3; ++a) world.spawn(a, exchange(world.agent(a), 0));
  world.run();
  CHECK(world.sums() == Sums{{"latency 1->2", rounds / 2 * 5000}, {"latency 2->1", rounds / 2 * 5000}});
}

TEST_CASE("The time up to the repetition of a lost message is repair") {
  PathWorld world(Network(2, line({100})),
                  {.model = {.faults = {std::make_shared<FirstLost>()}, .repair = {.timeout = span(500)}}});
  world.spawn(0, sleep_then_send(world.agent(0), span(30), 1, 1, 0));
  world.spawn(1, report_after_message(world.agent(1)));
  world.run();
  CHECK(world.sums() == Sums{{"sleeping 0", 30}, {"repair 0->1", 500}, {"latency 0->1", 100}});
}

TEST_CASE("A wait that no message ends is a deadline of its agent") {
  PathWorld world(Network(2, line({100})));
  const auto wait = [](Agent& me) -> Task<> {
    std::vector<AgentId> cohort{1};
    co_await me.collect(1, cohort, at(700));
    me.report(1);
  };
  world.spawn(0, wait(world.agent(0)));
  world.run();
  CHECK(world.sums() == Sums{{"deadline 0", 700}});
}

TEST_CASE("Being away within a computation is absence") {
  SimulationOptions options;
  options.model.availability = without(2, {{.agent = 0, .from = at(100), .until = at(400)}});
  PathWorld world(Network(2, line({100})), options);
  world.spawn(0, report_after_work(world.agent(0), 200));
  world.run();
  CHECK(world.sums() == Sums{{"computing 0", 200}, {"absence 0", 300}});
}

TEST_CASE("An agent that serves while it computes answers because of the request, and ends because of its work") {
  PathWorld world(Network(2, line({100})));
  const auto both = [](Agent& me) -> Task<> {
    const auto nothing = [] {};
    me.start(0, 1000, nothing);
    const AgentEvent first = co_await me.next_event();
    me.answer(first.message, scalar(0));
    co_await me.next_event();
    me.report(1);
  };
  const auto ask = [](Agent& me) -> Task<> {
    co_await me.sleep(span(300));
    me.send(0, 1, scalar(0));
    co_await me.receive();
    me.report(1);
  };
  world.spawn(0, both(world.agent(0)));
  world.spawn(1, ask(world.agent(1)));
  SECTION("the work ends last") {
    world.run();
    CHECK(world.sums() == Sums{{"computing 0", 1000}});
  }
  SECTION("the answer is the last report of a run that ends before the work does") {
    struct Stop final : Watcher {
      Simulation* sim = nullptr;
      Time look(Time) override {
        sim->stop();
        return Time::never();
      }
    } stop;
    stop.sim = &world.sim;
    world.sim.watch(stop, at(600));
    world.run();
    CHECK(world.sums() == Sums{{"sleeping 1", 300}, {"latency 1->0", 100}, {"latency 0->1", 100}});
  }
}

TEST_CASE("Who waits for the arrival of what it sent waits for that message") {
  PathWorld world(Network(2, line({100})));
  const auto send = [](Agent& me) -> Task<> {
    me.send_with_receipt(1, 1, scalar(0));
    co_await me.arrivals();
    me.report(1);
  };
  world.spawn(0, send(world.agent(0)));
  world.run();
  CHECK(world.sums() == Sums{{"latency 0->1", 100}});
}

TEST_CASE("What no agent and no message can be traced back to takes no memory") {
  // Of 1000 rounds of four agents, with a computation and two arrivals each, there remain the 1000 computations of the
  // slow one, and of each agent and its two neighbors' messages what is newer: two pieces at most.
  PathWorld world(Network(4, ring({100, 100, 100, 100})), {}, {1e9, 1e9, 1e8, 1e9});
  for (AgentId a = 0; a < 4; ++a) world.spawn(a, exchange(world.agent(a), 1000, 1000));
  world.run();
  CHECK(world.path.pieces_in_use() >= 1000);
  CHECK(world.path.pieces_in_use() <= 1000 + 4 * 3 * 2);
}

TEST_CASE("Pieces that nothing can be traced back to are free again") {
  PathPieces pieces;
  PathPieces::Piece first = pieces.append(0, PathKind::computing, 0, span(1));
  for (std::uint32_t k = 0; k < 10; ++k) first = pieces.append(first, PathKind::computing, k, span(2));
  CHECK(pieces.in_use() == 10);  // two of agent 0 are one
  PathPieces::Piece second = pieces.append(pieces.share(first), PathKind::sleeping, 0, span(3));
  pieces.drop(first);
  CHECK(pieces.in_use() == 11);
  Duration all;
  pieces.for_each(second, [&](const auto& piece) { all += piece.time; });
  CHECK(all == span(1 + 10 * 2 + 3));
  pieces.drop(second);
  CHECK(pieces.in_use() == 0);
  CHECK(pieces.append(0, PathKind::sleeping, 0, Duration()) == 0);
}

}  // namespace lagnet::critical_path_test
