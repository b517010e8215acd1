#include "sim/transport/resource_accounts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/base/draws.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::resource_accounts_test {

namespace {

using test::at;
using test::Departure;
using test::span;

/// Agents 0 and 1 send to agent 2, and agent 3 to nobody, over an inner link on which a byte takes 1 ns, and then 10
/// ns.
Network over_one(const Underlay::InnerLink& inner) {
  std::vector<LinkSpec> links;
  for (const AgentId from : {0, 1}) {
    test::join(links, from, 2, 0);
    links[links.size() - 2].route = 1;
  }
  return Network(4, links, {}, LinkDirections::both, {.links = {inner}, .routes = {{}, {0}}});
}
Underlay::InnerLink inner_link() { return {.latency = span(10), .bandwidth_bytes_per_s = 1e9}; }

/// The account of the inner link after three messages of 1000 bytes of agent 0 at 0 and one of agent 1 at 500 ns.
ResourceAccount of_four_messages(const Underlay::InnerLink& inner, Sharing sharing, Time end = Time::never()) {
  const Network network = over_one(inner);
  test::World world(network, {.end = end, .model = {.sharing = sharing}});
  std::vector<test::Seen> all;
  world.spawn(0, test::send_at(world.agent(0), std::vector<Departure>(3, {.to = 2, .scalars = 125})));
  world.spawn(1, test::send_at(world.agent(1), {{.at_ns = 500, .to = 2, .scalars = 125}}));
  world.spawn(3, test::only_sleep(world.agent(3), span(20'000)));  // until all have come
  world.spawn_daemon(2, test::receive_forever(world.agent(2), all));
  world.run();
  const auto accounts = world.sim.resource_accounts();
  REQUIRE(accounts);
  REQUIRE(accounts->size() == 1);  // links and interfaces have no effect
  CHECK(accounts->front().first == network.inner(0));
  return accounts->front().second;
}

}  // namespace

TEST_CASE("a resource's account has the waits of its messages and its work") {
  // They begin at 0, 1000, 2000 and 3000; when the last one comes, two others wait.
  CHECK(of_four_messages(inner_link(), Sharing::fifo) ==
        ResourceAccount{
            .messages = 4, .bytes = 4000, .busy = span(4000), .queueing = span(1000 + 2000 + 2500), .most_waiting = 3});
}

TEST_CASE("the end of a run cuts off waits and work") {
  CHECK(of_four_messages(inner_link(), Sharing::fifo, at(1500)) ==
        ResourceAccount{
            .messages = 4, .bytes = 4000, .busy = span(1500), .queueing = span(1000 + 1500 + 1000), .most_waiting = 3});
  CHECK(of_four_messages(inner_link(), Sharing::fifo, at(400)) ==
        ResourceAccount{.messages = 3, .bytes = 3000, .busy = span(400), .queueing = span(2 * 400), .most_waiting = 2});
}

TEST_CASE("the accounts of many visits are sums over each of them, however many are over") {
  const Network network = over_one(inner_link());
  ResourceAccounts accounts(network);
  REQUIRE(accounts.counts(network.inner(0)));
  CHECK_FALSE(accounts.counts(network.over(0)));
  Draws draws(1, Purpose{"visits"});
  std::vector<ResourceAccounts::Visit> all;
  Time now, free;
  for (int k = 0; k < 2000; ++k) {
    now = now + span(static_cast<std::int64_t>(draws.below(20)));  // 10 ns in the mean, as is the work
    const Time begins = std::max(now, free);
    free = begins + span(static_cast<std::int64_t>(draws.below(20)));
    all.push_back({.bytes = k, .came = now, .begins = begins, .ends = free, .left = free, .is_lost = k % 7 == 0});
    accounts.add(network.inner(0), all.back(), now);
  }
  for (const Time end : {now, Time::never()}) {
    ResourceAccount sum;
    for (std::size_t k = 0; k < all.size(); ++k) {
      ++sum.messages;
      sum.bytes += all[k].bytes;
      sum.lost += std::int64_t{all[k].is_lost && all[k].left <= end};
      sum.busy += std::min(all[k].ends, end) - std::min(all[k].begins, end);
      sum.queueing += std::min(all[k].begins, end) - all[k].came;
      const auto waits = [came = all[k].came](const auto& other) { return other.begins > came; };
      sum.most_waiting = std::max<std::int64_t>(
          sum.most_waiting, std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k) + 1, waits));
    }
    CHECK(sum.most_waiting > 10);
    CHECK(accounts.until(end).at(0).second == sum);
  }
}

TEST_CASE("where nobody waits, an account has messages that are through and the time of each alone") {
  CHECK(of_four_messages(inner_link(), Sharing::fair) ==
        ResourceAccount{.messages = 4, .bytes = 4000, .busy = span(4000)});
}

TEST_CASE("a message that stands while its sender waits takes the time of its bytes all the same") {
  // 70 segments, and 10 ms each way: after the first window of 10 a sender waits for 20 + 1.514 - 15.14 ms.
  constexpr std::int64_t ms = 1'000'000;
  std::vector<LinkSpec> links;
  test::join(links, 0, 1, 0);
  links[0].route = links[1].route = 1;
  const Network network(3, links, {{}, {.down_bytes_per_s = 1e6}, {}}, LinkDirections::both,
                        {.links = {{.latency = span(10 * ms)}}, .routes = {{}, {0}}, .detours = {}, .media = {}});
  for (const Forwarding forwarding : {Forwarding::cut_through, Forwarding::store_and_forward}) {
    WorldModel model{.sharing = Sharing::fifo, .forwarding = forwarding};
    model.tcp = TcpOptions{.handshake = false};
    test::World world(network, {.model = model});
    std::vector<test::Seen> all;
    world.spawn(0, test::send_at(world.agent(0), std::vector<Departure>(2, {.to = 1, .scalars = 12'500})));
    world.spawn(2, test::only_sleep(world.agent(2), span(1000 * ms)));
    world.spawn_daemon(1, test::receive_forever(world.agent(1), all));
    world.run();
    // The first bits of both come at once, and those of the second one wait until there was time for the first one.
    const auto [id, account] = world.sim.resource_accounts().value().at(0);
    CHECK(id == network.down(1));
    CHECK(account == ResourceAccount{.messages = 2,
                                     .bytes = 2 * 104'620,
                                     .busy = span(2 * 104'620'000),
                                     .queueing = span(104'620'000),
                                     .most_waiting = 1});
  }
}

TEST_CASE("a medium is busy with messages of its members, and their links are not") {
  std::vector<LinkSpec> links;
  test::join(links, 0, 1, 10, 0.5e9);
  Underlay cell;
  cell.media.push_back({.agents = {0, 1}, .bandwidth_bytes_per_s = 1e9});
  const Network network(3, links, {}, LinkDirections::both, cell);
  for (const Sharing sharing : {Sharing::fifo, Sharing::fair}) {
    test::World world(network, {.model = {.sharing = sharing}});
    std::vector<test::Seen> all;
    world.spawn(0, test::send_at(world.agent(0), {{.at_ns = 0, .to = 1, .scalars = 125}}));
    world.spawn(2, test::only_sleep(world.agent(2), span(20'000)));
    world.spawn_daemon(1, test::receive_forever(world.agent(1), all));
    world.run();
    const auto accounts = world.sim.resource_accounts().value();
    const auto of = [&](ResourceId id) {
      return std::ranges::find(accounts, id, &AccountsOfResources::value_type::first)->second;
    };
    CHECK(of(network.over(0)) == ResourceAccount{.messages = 1, .bytes = 1000});
    CHECK(of(network.medium(0)) == ResourceAccount{.messages = 1, .bytes = 1000, .busy = span(2000)});
  }
}

TEST_CASE("an account has the messages that its resource loses") {
  Underlay::InnerLink lossy = inner_link();
  lossy.loss.off.push_back({.from = at(1900), .until = at(3100)});  // a bit of all but the first one leaves then
  CHECK(of_four_messages(lossy, Sharing::fifo).lost == 3);  // first bits leave at 1000, 2000, 3000, last ones later
  CHECK(of_four_messages(lossy, Sharing::none).lost == 0);
  lossy.loss.probability = 1;
  for (const Sharing sharing : {Sharing::none, Sharing::fifo, Sharing::fair})
    CHECK(of_four_messages(lossy, sharing).lost == 4);
}

TEST_CASE("messages that find no room or lose it count as lost, with the time that they have waited") {
  Underlay::InnerLink queued = inner_link();
  queued.queue = std::make_shared<QueueLimit>(QueueLimit{.bytes = {}, .messages = 1});
  // The second one waits until 1000; the third one and the fourth one find no room.
  CHECK(of_four_messages(queued, Sharing::fifo) ==
        ResourceAccount{
            .messages = 4, .bytes = 4000, .lost = 2, .busy = span(2000), .queueing = span(1000), .most_waiting = 1});
  queued.queue =
      std::make_shared<QueueLimit>(QueueLimit{.bytes = {}, .messages = 1, .full = QueueLimit::WhenFull::drop_oldest});
  // The third one takes the place of the second one at once, and loses it to the fourth one at 500, which begins at
  // 1000.
  CHECK(
      of_four_messages(queued, Sharing::fifo) ==
      ResourceAccount{
          .messages = 4, .bytes = 4000, .lost = 2, .busy = span(2000), .queueing = span(500 + 500), .most_waiting = 1});
  // And what still waits at the end.
  CHECK(
      of_four_messages(queued, Sharing::fifo, at(700)) ==
      ResourceAccount{
          .messages = 4, .bytes = 4000, .lost = 2, .busy = span(700), .queueing = span(500 + 200), .most_waiting = 1});
}

TEST_CASE("a network without inner links and media has no accounts of resources") {
  test::World world(2, test::line({5}), {.model = {.sharing = Sharing::fifo}});
  world.spawn(0, test::only_sleep(world.agent(0), span(1)));
  world.spawn(1, test::only_sleep(world.agent(1), span(1)));
  world.run();
  CHECK_FALSE(world.sim.resource_accounts());
}

}  // namespace lagnet::resource_accounts_test
