#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::transport_losses_test {

using namespace lagnet::test;

/// Messages of 1000 bytes, 1000 ns at each limit. Those from 0 to 1 and from 2 to 3 pass an inner link (30 ns), a link
/// of their own (10 ns) and the receiver's interface; those from 3 to 1 pass no inner link.
namespace {

using Times = std::vector<Time>;
using Rounds = std::set<Round>;
constexpr double unit = 1e9;  // bytes/s: one byte a nanosecond
constexpr Index kilobyte = 125;

struct Lossy {
  LinkLoss inner, link;                     // of 0 to 1
  std::shared_ptr<const QueueLimit> queue;  // likewise
};

Network dumbbell(const Lossy& options) {
  Underlay beneath;
  beneath.links.push_back({.latency = span(30), .bandwidth_bytes_per_s = unit, .loss = options.inner});
  beneath.routes = {{}, {0}};
  std::vector<LinkSpec> links;
  join(links, 0, 1, 10, unit);
  join(links, 2, 3, 10, unit);
  join(links, 3, 1, 10, unit);
  links[0].route = links[2].route = 1;
  links[0].loss = options.link;
  links[0].queue = options.queue;
  return Network(5, links, std::vector<Interface>(5, {.down_bytes_per_s = unit}), LinkDirections::both, beneath);
}

/// One that changes at a time.
LinkLoss loss(double before, std::int64_t change_ns, double after) {
  return {.probability = before,
          .schedule = std::make_shared<Schedule>(std::vector{at(0), at(change_ns)}, std::vector{before, after})};
}

using Senders = std::vector<std::pair<AgentId, std::vector<Departure>>>;

struct Sending {
  Sending(const Lossy& options, const WorldModel& model, const Senders& senders)
      : world(dumbbell(options), {.model = model}) {
    for (const auto& [from, departures] : senders) world.spawn(from, send_at(world.agent(from), departures));
    world.spawn_daemon(1, receive_forever(world.agent(1), seen));
    world.spawn(4, only_sleep(world.agent(4), Duration::seconds(1)));
    world.run();
  }
  /// Of the messages of a sender.
  Times times(EventKind what, AgentId from = 0) const {
    Times found;
    for (const SimEvent& one : world.log.all)
      if (one.what == what && (what == EventKind::delivered ? one.peer : one.agent) == from) found.push_back(one.at);
    return found;
  }
  Rounds lost(Cause cause = Cause::loss) const {
    Rounds found;
    for (const SimEvent& one : world.log.all)
      if (one.what == EventKind::lost && one.cause == cause) found.insert(one.round);
    return found;
  }
  std::vector<Seen> seen;
  World world;
};

const Senders one_message{{0, {{0, 1, kilobyte}}}};

constexpr Round many = 4000;

/// Messages of which none is under way with another one.
Senders one_by_one(Round count = many) {
  std::vector<Departure> departures;
  for (Round k = 0; k < count; ++k) departures.push_back({4000 * k, 1, kilobyte});
  return {{0, departures}};
}

/// Whether the share of lost messages is within four standard deviations of the probability.
bool is_share(const Rounds& lost, double probability) {
  const double share = static_cast<double>(lost.size()) / static_cast<double>(many);
  return std::abs(share - probability) < 4 * std::sqrt(probability * (1 - probability) / static_cast<double>(many));
}

const WorldModel cut_through{.sharing = Sharing::fifo, .forwarding = Forwarding::cut_through};
const WorldModel whole{.sharing = Sharing::fifo, .forwarding = Forwarding::store_and_forward};
const WorldModel fair{.sharing = Sharing::fair};
const WorldModel none{.sharing = Sharing::none};
const std::array all_models{cut_through, whole, fair, none};

WorldModel with(WorldModel model, std::shared_ptr<const FaultRule> rule) {
  model.faults.push_back(std::move(rule));
  return model;
}

/// Delays what comes over a link.
struct Late final : FaultRule {
  void judge(const Transmission&, Fate& fate) const override { fate.delay = fate.held_back = span(500); }
  bool loses() const override { return false; }
};

/// Loses all for a reason of its own.
struct Doomed final : FaultRule {
  void judge(const Transmission&, Fate& fate) const override { fate.lost = Cause::partition; }
};

}  // namespace

TEST_CASE("a message that a link loses is lost behind the latency of this link") {
  for (const WorldModel& model : {cut_through, whole, fair, none}) {
    const bool is_whole = model.sharing == Sharing::fifo && model.forwarding == Forwarding::store_and_forward;
    const Sending on_inner({.inner = {.probability = 1}}, model, one_message);
    CHECK(on_inner.times(EventKind::lost) == Times{at(1000 + 30)});
    CHECK(on_inner.lost() == Rounds{0});
    CHECK(on_inner.seen.empty());
    const Sending on_link({.link = {.probability = 1}}, model, one_message);
    CHECK(on_link.times(EventKind::lost) == Times{at((is_whole ? 2000 : 1000) + 30 + 10)});
    // Jitter and what holds messages back come behind the link.
    const Sending late({.link = {.probability = 1}}, with(model, std::make_shared<Late>()), one_message);
    CHECK(late.times(EventKind::lost) == on_link.times(EventKind::lost));
  }
}

TEST_CASE("a message that is lost for another reason ends on the first link that loses it, with this reason") {
  for (const WorldModel& model : {cut_through, fair, none}) {
    const WorldModel doomed = with(model, std::make_shared<Doomed>());
    const Sending on_inner({.inner = {.probability = 1}}, doomed, one_message);
    CHECK(on_inner.times(EventKind::lost) == Times{at(1030)});
    CHECK(on_inner.lost(Cause::partition) == Rounds{0});
    CHECK(Sending({.inner = {.probability = 1e-9}}, doomed, one_message).times(EventKind::lost) == Times{at(1040)});
  }
}

TEST_CASE("under fifo a lost message has used the links up to the one that loses it, and nothing behind it") {
  // 2 sends 1 ns later over the inner link, 3 to the interface of agent 1 when the message of 0 would be there.
  const Senders senders{{0, {{0, 1, kilobyte}}}, {2, {{1, 3, kilobyte}}}, {3, {{30, 1, kilobyte}}}};
  const Sending kept({}, cut_through, senders);
  CHECK(kept.times(EventKind::delivered, 0) == Times{at(1040)});
  CHECK(kept.times(EventKind::delivered, 2) == Times{at(2040)});
  CHECK(kept.times(EventKind::delivered, 3) == Times{at(2040)});
  for (const Lossy& options : {Lossy{.inner = loss(1, 500, 0)}, Lossy{.link = {.probability = 1}}}) {
    const Sending lost(options, cut_through, senders);
    CHECK(lost.times(EventKind::delivered, 0).empty());
    CHECK(lost.times(EventKind::delivered, 2) == Times{at(2040)});  // its first bit leaves the inner link at 1000
    CHECK(lost.times(EventKind::delivered, 3) == Times{at(1040)});
  }
}

TEST_CASE("at fair rates a lost message has shared the links up to the one that loses it, and nothing behind it") {
  // The message of 0 has the inner link from 30 to 540, 510 bytes, then half of it until 1520.
  const Senders senders{{0, {{0, 1, kilobyte}}}, {2, {{500, 3, kilobyte}}}, {3, {{0, 1, kilobyte}}}};
  const Sending lost({.inner = loss(1, 500, 0)}, fair, senders);
  CHECK(lost.times(EventKind::lost, 0) == Times{at(1520)});
  CHECK(lost.times(EventKind::delivered, 2) == Times{at(2030)});
  CHECK(lost.times(EventKind::delivered, 3) == Times{at(1010)});
}

TEST_CASE("at fair rates and in order a lost message neither waits for others of its link nor holds them up") {
  WorldModel model = fair;
  model.in_order = true;
  const Senders large_and_empty{{0, {{0, 1, 10 * kilobyte}, {500, 1, 0}}}};
  const Sending in_order({}, model, large_and_empty);
  CHECK(in_order.times(EventKind::delivered) == Times{at(10'040), at(10'040)});
  const Sending first({.inner = loss(1, 500, 0)}, model, large_and_empty);
  CHECK(first.times(EventKind::lost) == Times{at(10'030)});
  CHECK(first.times(EventKind::delivered) == Times{at(540)});
  const Sending second({.inner = loss(0, 500, 1)}, model, large_and_empty);
  CHECK(second.times(EventKind::lost) == Times{at(530)});
  CHECK(second.times(EventKind::delivered) == Times{at(10'040)});
}

TEST_CASE("a message survives a path with the product of the probabilities of its links") {
  const Lossy both{.inner = {.probability = 0.2}, .link = {.probability = 0.3}};
  for (const WorldModel& model : all_models) {
    const Rounds lost = Sending(both, model, one_by_one()).lost();
    CHECK(is_share(lost, 1 - 0.8 * 0.7));
    const WorldModel other = with(model, std::make_shared<IndependentLoss>(0.4));
    CHECK(is_share(Sending(both, other, one_by_one()).lost(), 1 - 0.8 * 0.7 * 0.6));
  }
}

TEST_CASE("each link draws for itself, once for each transmission") {
  const auto lost = [](const Lossy& options, const WorldModel& model) {
    return Sending(options, model, one_by_one()).lost();
  };
  const Rounds on_inner = lost({.inner = {.probability = 0.3}}, cut_through);
  const Rounds on_link = lost({.link = {.probability = 0.3}}, cut_through);
  Rounds by_both, by_one;
  std::ranges::set_intersection(on_inner, on_link, std::inserter(by_both, by_both.end()));
  std::ranges::set_union(on_inner, on_link, std::inserter(by_one, by_one.end()));
  CHECK(is_share(by_both, 0.3 * 0.3));
  for (const WorldModel& model : all_models)
    CHECK(lost({.inner = {.probability = 0.3}, .link = {.probability = 0.3}}, model) == by_one);
  // What is lost with a small probability is so with a larger one.
  CHECK(std::ranges::includes(lost({.inner = {.probability = 0.5}}, none), on_inner));
}

TEST_CASE("the probability is the one when the first bit leaves the link") {
  // At the link it does so 30 ns after its departure, or 1030 + 1000 ns where it waits for the others.
  for (const WorldModel& model : {cut_through, fair, none}) {
    CHECK(Sending({.link = loss(1, 30, 0)}, model, one_message).lost().empty());
    CHECK(Sending({.link = loss(0, 30, 1)}, model, one_message).lost() == Rounds{0});
  }
  CHECK(Sending({.link = loss(1, 2030, 0)}, whole, one_message).lost().empty());
  CHECK(Sending({.link = loss(1, 2031, 0)}, whole, one_message).lost() == Rounds{0});
}

TEST_CASE("what a link loses is sent again, with a draw of its own") {
  for (WorldModel model : {cut_through, fair, none}) {
    model.repair = {.timeout = span(4000)};
    const Sending dark({.inner = loss(1, 5000, 0)}, model, one_message);
    CHECK(dark.times(EventKind::sent) == Times{at(0), at(4000), at(12'000)});  // the timeout doubles
    CHECK(dark.times(EventKind::lost) == Times{at(1030), at(5030)});
    CHECK(dark.times(EventKind::delivered) == Times{at(13'040)});
    const Sending often({.link = {.probability = 0.5}}, model, one_by_one(100));
    CHECK(often.seen.size() == 100);
    CHECK(often.lost().size() > 30);  // 50 but for four standard deviations, 20
  }
}

TEST_CASE("a copy of a message has a draw of its own") {
  for (const WorldModel& model : all_models) {
    const Sending twice({.inner = {.probability = 0.4}}, with(model, std::make_shared<Duplication>(1)), one_by_one());
    Rounds missing;
    for (Round k = 0; k < many; ++k) missing.insert(k);
    for (const Seen& one : twice.seen) missing.erase(static_cast<Round>(one.value));
    CHECK(is_share(missing, 0.4 * 0.4));
    CHECK(twice.times(EventKind::sent).size() == 2 * many);
  }
}

TEST_CASE("one broadcast over a medium is lost for each receiver by itself") {
  std::vector<LinkSpec> links;
  join(links, 0, 1, 10, unit);
  join(links, 0, 2, 10, unit);
  links[0].loss = {.probability = 1};
  Underlay cell;
  cell.media.push_back({.agents = {0, 1, 2}, .bandwidth_bytes_per_s = unit, .broadcasts_once = true});
  World world(Network(3, links, {}, LinkDirections::both, cell), {.model = cut_through});
  const auto broadcast = [](Agent& me) -> Task<> {
    const Vector body = Vector::Zero(kilobyte);
    me.broadcast(0, body);
    co_await me.sleep(span(9000));
  };
  world.spawn(0, broadcast(world.agent(0)));
  world.run();
  CHECK(world.log.times(EventKind::lost) == Times{at(1010)});
  CHECK(world.log.times(EventKind::delivered, 2) == Times{at(1010)});
}

TEST_CASE("an inner link that is off loses a message whose first or last bit leaves it then") {
  const auto is_lost = [](const WorldModel& model, std::int64_t from_ns, std::int64_t until_ns) {
    const Sending sending({.inner = {.off = {{at(from_ns), at(until_ns)}}}}, model, one_message);
    CHECK(sending.times(EventKind::delivered).empty() == !sending.lost(Cause::link_down).empty());
    return sending.times(EventKind::delivered).empty();
  };
  // The first bit leaves at once, if the message is not stored before, and the last one after 1000 ns. Under fair the
  // message passes all of its path from 40 ns on.
  for (const WorldModel& model : {cut_through, none}) {
    CHECK(is_lost(model, 0, 1));
    CHECK(is_lost(model, 1000, 1001));
    CHECK_FALSE(is_lost(model, 1, 1000));
  }
  CHECK_FALSE(is_lost(whole, 0, 1000));
  CHECK(is_lost(whole, 1000, 1001));
  CHECK(is_lost(fair, 0, 1));
  CHECK(is_lost(fair, 1040, 1041));
  CHECK_FALSE(is_lost(fair, 1, 1040));
}

TEST_CASE("a lost message gives back the room that it has taken behind the link that loses it") {
  const auto one = std::make_shared<const QueueLimit>(
      QueueLimit{.bytes = {}, .messages = 1, .full = QueueLimit::WhenFull::backpressure});
  const Senders two{{0, {{0, 1, kilobyte}, {0, 1, kilobyte}}}};
  const Sending lost({.inner = loss(1, 500, 0), .queue = one}, cut_through, two);
  CHECK(lost.times(EventKind::lost) == Times{at(1030)});
  CHECK(lost.times(EventKind::delivered) == Times{at(1030 + 1040)});
}

TEST_CASE("worlds with links that lose messages say so, unless these are sent again") {
  const Network lossy = dumbbell({.inner = {.probability = 0.1}}), sure = dumbbell({});
  WorldModel model;
  CHECK(model.may_lose_messages(lossy));
  CHECK_FALSE(model.may_lose_messages(sure));
  model.repair.timeout = span(100);
  CHECK_FALSE(model.may_lose_messages(lossy));
}

}  // namespace lagnet::transport_losses_test
