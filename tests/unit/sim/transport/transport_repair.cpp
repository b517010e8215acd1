#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::transport_repair_test {

using namespace lagnet::test;

/// What happens to messages of 200 bytes from agent 0 to agent 1 that take 200 ns to transmit and 100 ns of latency.
namespace {

constexpr std::int64_t way = 300;

/// Loses the first transmissions of each message, as many as given, and copies likewise.
struct LosesFirst final : FaultRule {
  explicit LosesFirst(std::uint32_t attempts) : count(attempts) {}
  void judge(const Transmission& what, Fate& fate) const override {
    if (what.attempt < count) fate.lost = Cause::loss;
  }
  std::uint32_t count;
};

struct Sending {
  Sending(const WorldModel& model, std::vector<Departure> departures) : world(2, links(), {.model = model}) {
    world.spawn(0, send_at(world.agent(0), std::move(departures)));
    world.spawn(1, only_sleep(world.agent(1), Duration::seconds(1000)));
    world.run();
  }
  static std::vector<LinkSpec> links() {
    std::vector<LinkSpec> links;
    join(links, 0, 1, 100, 1e9);
    return links;
  }
  std::vector<Time> sent() const { return world.log.times(EventKind::sent); }
  std::vector<Time> lost() const { return world.log.times(EventKind::lost); }
  std::vector<Time> delivered() const { return world.log.times(EventKind::delivered); }
  std::vector<Cause> causes(EventKind what) const {
    std::vector<Cause> found;
    for (const SimEvent& one : world.log.all)
      if (one.what == what) found.push_back(one.cause);
    return found;
  }
  World world;
};

/// Timeouts of 1000, 2000, 4000, 4000, ... ns.
WorldModel with_repair(std::shared_ptr<const FaultRule> fault) {
  WorldModel model;
  if (fault) model.faults.push_back(std::move(fault));
  model.repair = {.timeout = span(1000), .longest = span(4000)};
  return model;
}

std::shared_ptr<const Availability> down(AgentId agent, std::int64_t from_ns, Time until) {
  return without(2, {{.agent = agent, .from = at(from_ns), .until = until}});
}

const std::vector<Departure> one_message{{0, 1, 25}};
using Causes = std::vector<Cause>;
using Times = std::vector<Time>;

}  // namespace

TEST_CASE("The k-th transmission sets out when all timeouts before it have passed, doubled up to the longest") {
  const Sending sending(with_repair(std::make_shared<LosesFirst>(5)), one_message);
  // 1000 + 2000 + 4000 + 4000 + 4000
  CHECK(sending.sent() == Times{at(0), at(1000), at(3000), at(7000), at(11'000), at(15'000)});
  CHECK(sending.lost() == Times{at(300), at(1300), at(3300), at(7300), at(11'300)});
  CHECK(sending.delivered() == Times{at(15'000 + way)});
  CHECK(sending.causes(EventKind::sent) == Causes{Cause::none, Cause::retransmission, Cause::retransmission,
                                                  Cause::retransmission, Cause::retransmission, Cause::retransmission});
}

TEST_CASE("Every transmission is billed, the lost ones too") {
  const Sending sending(with_repair(std::make_shared<LosesFirst>(5)), one_message);
  const AgentAccount& sender = sending.world.ledger.agent(0);
  CHECK(sender.messages_sent == 6);
  CHECK(sender.retransmitted == 5);
  CHECK(sender.bytes_sent == 6 * 200);
  CHECK(sender.messages_lost == 5);
  CHECK(sender.bytes_lost == 5 * 200);
  CHECK(sending.world.ledger.agent(1).bytes_received == 200);
  CHECK(sending.world.ledger.messages_in_flight() == 0);
  CHECK(sending.world.ledger.agent(1).transferring == span(way));  // of the transmission that came
}

TEST_CASE("A timeout longer than the longest one is kept as it is, and the longest is 60 s unless said otherwise") {
  Repair repair{.timeout = Duration::seconds(90)};
  CHECK(repair.timeout_of(0) == Duration::seconds(90));
  CHECK(repair.timeout_of(7) == Duration::seconds(90));
  repair.timeout = Duration::seconds(1);
  CHECK(repair.timeout_of(5) == Duration::seconds(32));
  CHECK(repair.timeout_of(6) == Duration::seconds(60));
  CHECK(repair.timeout_of(4'000'000'000u) == Duration::seconds(60));
}

TEST_CASE("A timeout that is shorter than the way is over when the loss would have been noticed") {
  WorldModel model = with_repair(std::make_shared<LosesFirst>(2));
  model.repair.timeout = span(50);  // then 100
  const Sending sending(model, one_message);
  CHECK(sending.sent() == Times{at(0), at(way), at(2 * way)});
}

TEST_CASE("After the last retry a message is lost for good") {
  WorldModel model = with_repair(std::make_shared<LosesFirst>(9));
  model.repair.retries = 3;
  const Sending sending(model, one_message);
  CHECK(sending.sent() == Times{at(0), at(1000), at(3000), at(7000)});
  CHECK(sending.lost().size() == 4);
  CHECK(sending.delivered().empty());
  CHECK(sending.world.ledger.messages_in_flight() == 0);
}

TEST_CASE("Without a timeout lost messages stay lost") {
  WorldModel model = with_repair(std::make_shared<LosesFirst>(1));
  model.repair.timeout.reset();
  const Sending sending(model, one_message);
  CHECK(sending.sent() == Times{at(0)});
  CHECK(sending.lost() == Times{at(way)});
}

TEST_CASE("A message to an agent that is down is lost, and sent again until the agent is there to take it") {
  WorldModel model = with_repair(nullptr);
  model.availability = down(1, 300, at(3300));  // down when the first comes, up again when the third does
  const Sending repaired(model, one_message);
  CHECK(repaired.sent() == Times{at(0), at(1000), at(3000)});
  CHECK(repaired.delivered() == Times{at(3300)});
  CHECK(repaired.causes(EventKind::lost) == Causes{Cause::receiver_down, Cause::receiver_down});

  model.repair.timeout.reset();
  const Sending lost(model, one_message);
  CHECK(lost.delivered().empty());
  CHECK(lost.causes(EventKind::lost) == Causes{Cause::receiver_down});

  model.availability = down(1, 301, at(3300));  // up for the last nanosecond that matters
  const Sending in_time(model, one_message);
  CHECK(in_time.delivered() == Times{at(300)});
}

TEST_CASE("A sender that is down at the timeout sends again as soon as it is up") {
  WorldModel model = with_repair(std::make_shared<LosesFirst>(2));
  model.availability = down(0, 500, at(4200));
  const Sending sending(model, one_message);
  CHECK(sending.sent() == Times{at(0), at(4200), at(6200)});  // the second timeout counts from there
  CHECK(sending.delivered() == Times{at(6200 + way)});
}

TEST_CASE("A sender that is gone for good resends nothing, and its earlier messages still arrive") {
  WorldModel model = with_repair(std::make_shared<LosesFirst>(1));
  model.availability = down(0, 200, Time::never());
  const Sending sending(model, one_message);
  CHECK(sending.sent() == Times{at(0)});
  CHECK(sending.world.ledger.messages_in_flight() == 0);

  model.faults.clear();
  CHECK(Sending(model, one_message).delivered() == Times{at(way)});
}

TEST_CASE("Copies are lost for good, and a retransmission makes none") {
  WorldModel model = with_repair(std::make_shared<LosesFirst>(1));
  model.faults.push_back(std::make_shared<Duplication>(1));
  const Sending sending(model, one_message);
  CHECK(sending.sent() == Times{at(0), at(0), at(1000)});
  CHECK(sending.causes(EventKind::sent) == Causes{Cause::none, Cause::duplication, Cause::retransmission});
  CHECK(sending.lost() == Times{at(way), at(way)});
  CHECK(sending.delivered() == Times{at(1000 + way)});
  CHECK(sending.world.ledger.agent(0).bytes_sent == 3 * 200);
}

TEST_CASE("A retransmission queues like any other message") {
  // The first message is lost. The second, of 4000 bytes, holds the link from 900 to 4900.
  struct LosesRoundZero final : FaultRule {
    void judge(const Transmission& what, Fate& fate) const override {
      if (what.round == 0 && what.attempt == 0) fate.lost = Cause::loss;
    }
  };
  WorldModel model = with_repair(std::make_shared<LosesRoundZero>());
  model.sharing = Sharing::fifo;
  const Sending sending(model, {{0, 1, 25}, {900, 1, 500}});
  CHECK(sending.sent() == Times{at(0), at(900), at(1000)});
  CHECK(sending.delivered() == Times{at(4900 + 100), at(4900 + way)});
  CHECK(sending.world.ledger.agent(0).queueing == span(3900));
}

}  // namespace lagnet::transport_repair_test
