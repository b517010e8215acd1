#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::faults_ordinals_test {

using namespace lagnet::test;

/// In each round, the n-th message over a link has the same fate, whatever is sent between.
namespace {

Task<> send_rounds_in_order(Agent& me, std::vector<Round> order) {
  for (const Round t : order) {
    me.send(1, t, scalar(1));
    co_await me.sleep(span(10));
  }
  co_await me.sleep(Duration::seconds(1));
}

/// The delays of the messages of each round, in the order in which they were sent.
std::map<Round, std::vector<Duration>> delays(const std::vector<Round>& order) {
  WorldModel model{.in_order = false};
  model.faults = {std::make_shared<Jitter>([](Draws draws) { return draws.uniform(); })};
  World world(2, line({100}), {.model = model});
  world.spawn(0, send_rounds_in_order(world.agent(0), order));
  world.run();
  std::map<std::uint64_t, Duration> by_serial;
  for (const SimEvent& one : world.log.all)
    if (one.what == EventKind::delivered) by_serial[one.serial] = one.duration;
  std::map<Round, std::vector<Duration>> found;
  for (const SimEvent& one : world.log.all)
    if (one.what == EventKind::sent) found[one.round].push_back(by_serial.at(one.serial));
  return found;
}

}  // namespace

TEST_CASE("Messages of several rounds at once have the fates that they have round by round") {
  const auto expected = delays({1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4});
  for (const auto& [round, of_round] : expected) {
    CHECK(of_round.size() == 3);
    CHECK(of_round[0] != of_round[1]);
    CHECK(of_round[1] != of_round[2]);
    CHECK(of_round[0] != of_round[2]);
  }
  CHECK(delays({1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}) == expected);
  CHECK(delays({4, 3, 4, 2, 1, 1, 2, 3, 1, 2, 4, 3}) == expected);
  CHECK(delays({3, 2, 1, 1, 2, 1, 2, 3, 3, 4, 4, 4}) == expected);
}

}  // namespace lagnet::faults_ordinals_test
