#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <vector>

#include "tests/unit/sim/world.hpp"

/// Random agents on random small networks: what holds for every run, checked at every event of many.
namespace lagnet::sim_random_runs_test {

using namespace lagnet::test;

namespace {

constexpr Purpose wiring{"wiring"}, program{"program"};
constexpr MessageTag letter = 1, answer = 2;

/// A tree plus some more edges. Few different latencies, zero among them, so that ties are many.
std::vector<LinkSpec> random_links(std::uint64_t seed, AgentId agents) {
  Draws draws(seed, wiring);
  std::vector<LinkSpec> links;
  std::set<std::pair<AgentId, AgentId>> joined;
  const auto add = [&](AgentId a, AgentId b) {
    if (a == b || !joined.insert(std::minmax(a, b)).second) return;
    const auto latency = 5 * static_cast<std::int64_t>(draws.below(4));
    join(links, a, b, latency, draws.bernoulli(0.5) ? infinite : 1e9);
  };
  for (AgentId b = 1; b < agents; ++b) add(static_cast<AgentId>(draws.below(b)), b);
  for (AgentId k = 0; k < agents; ++k)
    add(static_cast<AgentId>(draws.below(agents)), static_cast<AgentId>(draws.below(agents)));
  return links;
}

/// One random thing after another; every wait in it ends by itself or is one that all agents take part in.
Task<> random_main(Agent& me, int rounds, bool with_exchanges, double& state) {
  const auto kernel = [&state] { state = 0.5 * state + 1; };
  const std::vector<AgentId> around(me.neighbors().begin(), me.neighbors().end());
  for (Round t = 0; t < rounds; ++t) {
    Draws draws = me.draws(program, t);
    const Vector body = Vector::Constant(1 + static_cast<Index>(draws.below(20)), state);
    if (draws.bernoulli(0.5)) me.broadcast(t, body, letter);
    if (draws.bernoulli(0.5)) me.send(around[draws.below(around.size())], t, body, letter);
    if (draws.bernoulli(0.5)) co_await me.sleep(span(static_cast<std::int64_t>(5 * draws.below(4))));
    if (draws.bernoulli(0.5)) co_await me.compute(static_cast<Flops>(draws.below(30)), kernel);
    if (draws.bernoulli(0.5)) {
      const Time deadline = me.now() + span(static_cast<std::int64_t>(draws.below(30)));
      const auto messages = co_await me.collect(t, around, deadline, with_exchanges ? letter : answer);
      for (const Message& message : messages) state += 0.01 * message.body.data()[0];
    }
    if (with_exchanges) {
      const Vector one = scalar(state);
      const Vector sum = co_await me.neighbor_sum(one);
      state += 0.1 * sum[0] / static_cast<double>(around.size());
    }
    me.report(t, body);
  }
}

/// Answers letters with the newest it has, or one by one.
Task<> random_daemon(Agent& me, bool only_latest) {
  for (;;) {
    Message message;
    if (only_latest)
      message = co_await me.receive_latest();
    else
      message = co_await me.receive();
    if (message.tag != letter) continue;
    co_await me.compute(7);
    me.send(message.from, message.round, message.body, answer);
  }
}

/// Knows each message on its way, and checks at every event that the ledger, which heard of it first, agrees.
class Conservation : public Listener {
 public:
  Conservation(const Network& network, const Ledger& ledger) : network_(network), ledger_(ledger) {}

  void on_event(const SimEvent& what) override {
    REQUIRE(what.at >= last_);
    last_ = what.at;
    if (what.what == EventKind::sent) {
      Time& arrival = latest_[what.link];  // those of a link come in order
      arrival = std::max(arrival, what.at + Network::travel_time(network_.link(what.link), what.amount));
      in_flight_.insert({arrival, what.link, what.amount});
      ++sent_;
      bytes_ += what.amount;
    } else if (what.what == EventKind::delivered) {
      const auto found = in_flight_.find({what.at, what.link, what.amount});
      REQUIRE(found != in_flight_.end());  // it was sent, and arrives when the link says
      in_flight_.erase(found);
      bytes_ -= what.amount;
    }
    if (!in_flight_.empty()) REQUIRE(std::get<Time>(*in_flight_.begin()) >= what.at);  // none was forgotten
    const AgentAccount& total = ledger_.total();
    REQUIRE(total.messages_sent == sent_);
    REQUIRE(total.messages_sent == total.messages_received + static_cast<std::int64_t>(in_flight_.size()));
    REQUIRE(total.bytes_sent == total.bytes_received + bytes_);
    REQUIRE(ledger_.messages_in_flight() == static_cast<std::int64_t>(in_flight_.size()));
  }
  std::int64_t sent() const { return sent_; }

 private:
  const Network& network_;
  const Ledger& ledger_;
  std::multiset<std::tuple<Time, LinkId, Bytes>> in_flight_;
  std::map<LinkId, Time> latest_;
  std::int64_t sent_ = 0;
  Bytes bytes_ = 0;
  Time last_;
};

/// Deliveries that nothing else comes between are those of one instant, before any agent goes on.
class OrderOfInstants : public Listener {
 public:
  void on_event(const SimEvent& what) override {
    const std::pair place(what.peer, what.serial);
    if (what.what == EventKind::delivered && last_.what == EventKind::delivered && what.at == last_.at) {
      ++ties_;
      REQUIRE(std::pair(last_.peer, last_.serial) < place);
    }
    if (what.what != EventKind::late) last_ = what;  // a delivery may be reported as late at once
  }
  std::int64_t ties() const { return ties_; }

 private:
  SimEvent last_;
  std::int64_t ties_ = 0;
};

struct Result {
  std::uint64_t hash = 0;
  std::vector<double> states;
  AgentAccount total;
  std::int64_t ties = 0;
  bool operator==(const Result& other) const { return hash == other.hash && states == other.states; }
};

/// Checks while it runs. Even seeds: all agents exchange; odd ones: about half of the agents are daemons.
Result run(std::uint64_t seed, unsigned threads) {
  Draws draws(seed, Purpose("world"));
  const auto agents = static_cast<AgentId>(2 + draws.below(7));
  World world(agents, random_links(seed, agents), {.seed = seed, .threads = threads});
  Conservation conservation(world.sim.network(), world.ledger);
  OrderOfInstants order;
  world.sim.listen(conservation);
  world.sim.listen(order);
  Result result;
  result.states.assign(agents, 1);
  const bool with_exchanges = seed % 2 == 0;
  for (AgentId a = 0; a < agents; ++a) {
    if (with_exchanges || a == 0 || draws.bernoulli(0.5))
      world.spawn(a, random_main(world.agent(a), 12, with_exchanges, result.states[a]));
    else
      world.spawn_daemon(a, random_daemon(world.agent(a), draws.bernoulli(0.5)));
  }
  const Ending ending = world.run();
  REQUIRE(ending.reason == EndReason::finished);

  AgentAccount sum;
  std::int64_t over_links = 0;
  for (AgentId a = 0; a < agents; ++a) sum += world.ledger.agent(a);
  for (LinkId id = 0; id < world.ledger.links(); ++id) over_links += world.ledger.link(id).messages_sent;
  REQUIRE(sum.messages_sent == conservation.sent());
  REQUIRE(over_links == conservation.sent());
  REQUIRE(sum.bytes_received == world.ledger.total().bytes_received);
  REQUIRE(sum.idle == world.ledger.total().idle);
  result.hash = world.trace.hash();
  result.total = world.ledger.total();
  result.ties = order.ties();
  return result;
}

}  // namespace

TEST_CASE(
    "In random runs sent = delivered + in flight at every event, each message arrives when it should, those of one "
    "instant in the order of (sender, sender's count), time never goes back") {
  AgentAccount all;
  std::int64_t ties = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    const Result result = run(seed, 1);
    all += result.total;
    ties += result.ties;
  }
  // The runs do what they are to check: each kind of event comes often.
  CHECK(all.messages_received > 10'000);
  CHECK(ties > 1000);
  CHECK(all.late > 100);
  CHECK(all.superseded > 100);
  CHECK(all.flops > 1000);
}

TEST_CASE("Random runs repeat themselves, and are the same on 1, 2 and 4 threads") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    const Result first = run(seed, 1);
    REQUIRE(run(seed, 1) == first);
    REQUIRE(run(seed, 2) == first);
    REQUIRE(run(seed, 4) == first);
  }
}

}  // namespace lagnet::sim_random_runs_test
