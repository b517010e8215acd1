#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::faults_common_random_numbers_test {

using namespace lagnet::test;

/// Two algorithms that have nothing in common but the world they run in, and what that world did to them. One exchanges
/// long vectors twice a round with all neighbors. In the other a server asks some clients with short messages, each
/// acknowledges at once, computes and answers. The topology is a wheel: agent 0 in the middle of a ring.
namespace {

constexpr std::uint64_t seed = 20;
constexpr AgentId agents = 9;
constexpr Round rounds = 300;
constexpr Round factor = 3;  // by which stragglers are slower

Network wheel() {
  std::vector<LinkSpec> links;
  for (AgentId a = 1; a < agents; ++a) join(links, 0, a, 1'000'000 * a, 1e8 * a);
  for (AgentId a = 1; a < agents; ++a) join(links, a, a % (agents - 1) + 1, 2'000'000, 1e7);
  return Network(agents, links);
}

WorldModel model() {
  const Network network = wheel();
  WorldModel all{.in_order = false};  // what a message meets by itself
  all.faults = {std::make_shared<Jitter>([](Draws draws) { return draws.exponential(); }),
                std::make_shared<BurstLoss>(network.links(), BurstLoss::Options{.enter = 0.05, .leave = 0.4}),
                std::make_shared<IndependentLoss>(0.1)};
  const OnOffMeans means{.up = Duration::milliseconds(500), .down = Duration::milliseconds(30)};
  all.availability = available(agents, std::make_shared<OnOff>(seed, Purpose{"on_off"}, agents, means));
  all.missing = {.kind = MissingNeighborKind::skip, .deadline = Duration::milliseconds(40)};
  all.participation = std::make_shared<RandomSubset>(RandomSubset::of_size(seed, 6));
  return all;
}

ComputeModel compute() {
  ComputeSpec spec;
  spec.speed.assign(agents, {{Time(), 1e9}});
  spec.straggler = Straggler{.probability = 0.1, .factor = factor, .mean_rounds = 2};
  spec.seed = seed;
  return ComputeModel(spec);
}

using Cohorts = std::map<Round, std::vector<AgentId>>;

Task<> gossip(Agent& me, Cohorts& cohorts) {
  const Vector mine = Vector::Ones(5000);
  for (Round t = 1; t <= rounds; t = me.next_round(t)) {
    me.report(t - 1);
    if (me.id() == 0) cohorts[t] = me.cohort(t).members;
    co_await me.neighbor_sum(mine);
    co_await me.compute(20'000);
    co_await me.neighbor_sum(mine);
  }
}

constexpr MessageTag question = 1, acknowledgment = 2, answer = 3;

Task<> serve(Agent& me, Cohorts& cohorts) {
  for (Round t = 1; t <= rounds; ++t) {
    const Cohort cohort = me.cohort(t);
    cohorts[t] = cohort.members;
    for (auto a = cohort.members.rbegin(); a != cohort.members.rend(); ++a) me.send(*a, t, scalar(1), question);
    co_await me.collect(t, cohort.members, me.now() + Duration::milliseconds(30), answer);
    me.report(t);
  }
}

Task<> take_part(Agent& me) {
  for (;;) {
    const Message asked = co_await me.receive();
    if (asked.tag != question) continue;
    me.report(asked.round - 1);  // in this round from now on
    me.send(0, asked.round, scalar(0), acknowledgment);
    co_await me.compute(300'000 + 1000 * asked.round);
    me.send(0, asked.round, Vector::Ones(40), answer);
  }
}

/// What became of messages, by sender, receiver, round and number among those of that round over the link.
using Which = std::tuple<AgentId, AgentId, Round, int>;
struct Fared {
  Duration delay;            // beyond what latency and bandwidth account for
  Cause lost = Cause::none;  // by chance; whether the receiver was up is a matter of when
  bool operator==(const Fared&) const = default;
};

struct Run {
  explicit Run(bool gossips) : all_rules(model()) {
    World world(wheel(), compute(), {.seed = seed, .model = all_rules});
    for (AgentId a = 0; a < agents; ++a)
      if (gossips)
        world.spawn(a, gossip(world.agent(a), cohorts));
      else if (a == 0)
        world.spawn(a, serve(world.agent(a), cohorts));
      else
        world.spawn_daemon(a, take_part(world.agent(a)));
    world.run();
    std::map<std::uint64_t, Which> by_serial;
    std::map<std::tuple<AgentId, AgentId, Round>, int> sent;
    for (const SimEvent& one : world.log.all) note(one, by_serial, sent);
    messages = world.ledger.total().messages_sent;
    bytes = world.ledger.total().bytes_sent;
  }
  void note(const SimEvent& one, std::map<std::uint64_t, Which>& by_serial,
            std::map<std::tuple<AgentId, AgentId, Round>, int>& sent) {
    switch (one.what) {
      case EventKind::sent: {
        const int ordinal = sent[{one.agent, one.peer, one.round}]++;
        by_serial.emplace(one.serial, Which{one.agent, one.peer, one.round, ordinal});
        break;
      }
      case EventKind::delivered:
      case EventKind::lost: {
        const Duration plain = Network::travel_time(network.link(one.link), one.amount);
        const bool by_chance = one.cause == Cause::loss || one.cause == Cause::burst;
        fared[by_serial.at(one.serial)] = {one.duration - plain, by_chance ? one.cause : Cause::none};
        if (!by_chance) was_up[{std::get<1>(by_serial.at(one.serial)), one.at}] = one.what == EventKind::delivered;
        break;
      }
      case EventKind::computed:
        slowness[{one.agent, one.round}] = one.duration.ns() / one.amount;
        break;
      default:
        break;
    }
  }
  WorldModel all_rules;
  Network network = wheel();
  std::int64_t messages = 0;
  Bytes bytes = 0;
  Cohorts cohorts;
  std::map<Which, Fared> fared;
  std::map<std::pair<AgentId, Time>, bool> was_up;
  std::map<std::pair<AgentId, Round>, std::int64_t> slowness;
};

const Run& gossiping() {
  static const Run run(true);
  return run;
}
const Run& asking() {
  static const Run run(false);
  return run;
}

/// Calls same(a, b) for all keys that both maps have; how many there are.
template <class Map, class Same>
int in_both(const Map& first, const Map& second, const Same& same) {
  int count = 0;
  for (const auto& [key, value] : first) {
    const auto other = second.find(key);
    if (other == second.end()) continue;
    ++count;
    same(value, other->second);
  }
  return count;
}

}  // namespace

TEST_CASE("Two algorithms under one seed meet the same losses and delays, message by message") {
  int lost = 0, bursts = 0, different = 0;
  std::vector<Duration> delays;
  const int shared = in_both(gossiping().fared, asking().fared, [&](const Fared& a, const Fared& b) {
    different += a == b ? 0 : 1;
    lost += a.lost == Cause::loss ? 1 : 0;
    bursts += a.lost == Cause::burst ? 1 : 0;
    delays.push_back(a.delay);
  });
  CHECK(different == 0);
  REQUIRE(shared >= 1000);
  // Bad in 1/9 of the rounds, otherwise lost with probability 0.1: far from none and from all.
  CHECK(lost > shared / 20);
  CHECK(bursts > shared / 20);
  CHECK(lost + bursts < shared / 2);
  std::ranges::sort(delays);
  CHECK(delays.front() >= Duration());
  CHECK(delays[delays.size() / 10] < Duration::milliseconds(0.2));      // exponential with mean 1 ms: 10% below 0.105
  CHECK(delays[delays.size() / 10 * 9] > Duration::milliseconds(1.5));  // and 10% above 2.3
}

TEST_CASE("The messages that two algorithms share are not the same ones") {
  // What is compared above differs in all that a fate must not depend on.
  CHECK(gossiping().messages > 2 * asking().messages);
  CHECK(gossiping().bytes > 1000 * asking().bytes);
  int different_fate_of_second = 0, pairs = 0;
  for (const auto& [which, fate] : gossiping().fared) {
    const auto [from, to, round, number] = which;
    const auto second = gossiping().fared.find({from, to, round, number + 1});
    if (second == gossiping().fared.end()) continue;
    ++pairs;
    different_fate_of_second += fate == second->second ? 0 : 1;
  }
  CHECK(different_fate_of_second == pairs);  // every delay is a draw of its own
  REQUIRE(pairs > 1000);
}

TEST_CASE("Two algorithms under one seed meet the same stragglers in the same rounds") {
  int slow = 0, different = 0;
  const int shared = in_both(gossiping().slowness, asking().slowness, [&](std::int64_t a, std::int64_t b) {
    different += a == b ? 0 : 1;
    slow += a == factor ? 1 : 0;
    CHECK((a == 1 || a == factor));
  });
  CHECK(different == 0);
  REQUIRE(shared >= 500);
  CHECK(slow > shared / 20);
  CHECK(slow < shared / 2);
}

TEST_CASE("Two algorithms under one seed ask the same clients in the same rounds") {
  int different = 0;
  const int shared = in_both(gossiping().cohorts, asking().cohorts, [&](const auto& a, const auto& b) {
    different += a == b ? 0 : 1;
    CHECK(a.size() == 6);
  });
  CHECK(different == 0);
  CHECK(shared >= 200);
  std::vector<std::vector<AgentId>> chosen;
  for (const auto& [round, members] : asking().cohorts) chosen.push_back(members);
  std::ranges::sort(chosen);
  CHECK(std::ranges::unique(chosen).begin() - chosen.begin() > 20);  // of 28 that there are
}

TEST_CASE("Two algorithms under one seed find agents up and down at the same times") {
  // Whether an agent took a message when it came, against what the other run's world says of that moment.
  int up = 0, down = 0, different = 0;
  const auto compare = [&](const Run& seen, const Run& other) {
    for (const auto& [key, was_up] : seen.was_up) {
      (was_up ? up : down) += 1;
      different += other.all_rules.availability->up(key.first, key.second) == was_up ? 0 : 1;
    }
  };
  compare(gossiping(), asking());
  compare(asking(), gossiping());
  CHECK(different == 0);
  CHECK(up > 1000);
  CHECK(down > 100);
}

}  // namespace lagnet::faults_common_random_numbers_test
