#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::transport_detours_test {

namespace {

using test::at;
using test::Departure;
using test::span;

/// Agent 0 sends over inner link 0, which takes 100 ns and is off from 1000 to 2000; meanwhile over link 1, of 900 ns;
/// from 1500 to 2000 over nothing.
Network with_detours() {
  std::vector<LinkSpec> links;
  test::join(links, 0, 1, 0);
  links[0].route = 1;
  Underlay beneath;
  beneath.links = {{.latency = span(100)}, {.latency = span(900)}};
  beneath.links[0].loss.off = {{.from = at(1000), .until = at(2000)}};
  beneath.routes = {{}, {0}, {1}};
  constexpr std::uint32_t none = Underlay::no_route;
  beneath.detours = {{at(1000), {0, 2}}, {at(1500), {0, none}}, {at(2000), {0, 1}}};
  return Network(3, links, {}, LinkDirections::both, beneath);
}

using Ends = std::vector<std::pair<EventKind, Time>>;

Ends ends_of(Sharing sharing, std::vector<std::int64_t> departures, WorldModel model = {}) {
  model.sharing = sharing;
  test::World world(with_detours(), {.model = model});
  std::vector<Departure> all;
  for (const std::int64_t ns : departures) all.push_back({.at_ns = ns, .to = 1});
  std::vector<test::Seen> seen;
  world.spawn(0, test::send_at(world.agent(0), all));
  world.spawn(2, test::only_sleep(world.agent(2), span(9000)));  // until all have come
  world.spawn_daemon(1, test::receive_forever(world.agent(1), seen));
  world.run();
  Ends ends;
  for (const SimEvent& one : world.log.all)
    if (one.what == EventKind::delivered || one.what == EventKind::lost) ends.emplace_back(one.what, one.at);
  return ends;
}

}  // namespace

TEST_CASE("a message takes the path of the moment at which it departs") {
  const Network network = with_detours();
  const LinkId link = network.find(0, 1);
  CHECK(network.path(link, at(999)) == link);
  CHECK(network.on_path(0, network.path(link, at(1000)), 1) == network.inner(1));
  CHECK(network.path_length(network.path(link, at(1500))) == 0);
  CHECK(network.path(link, at(2000)) == link);
  CHECK(network.path_at(link, at(1200)).latency == span(900));
  constexpr auto delivered = EventKind::delivered, lost = EventKind::lost;
  const Ends expected{
      {delivered, at(100)}, {delivered, at(999)}, {lost, at(1500)}, {delivered, at(1900)}, {delivered, at(2200)}};
  for (const Sharing sharing : {Sharing::none, Sharing::fifo, Sharing::fair})
    CHECK(ends_of(sharing, {0, 899, 1000, 1500, 2100}) == expected);
}

TEST_CASE("what is under way when its link goes off is lost there") {
  // Its bits leave link 0 at 999 and 1000, since they take no time on it.
  constexpr auto delivered = EventKind::delivered, lost = EventKind::lost;
  CHECK(ends_of(Sharing::fifo, {0, 999, 1000, 1500}) ==
        Ends{{delivered, at(100)}, {delivered, at(1099)}, {lost, at(1500)}, {delivered, at(1900)}});
  // At fair rates the last bit leaves all of the path at its end.
  CHECK(ends_of(Sharing::fair, {999}) == Ends{{lost, at(1099)}});
}

TEST_CASE("a message that is lost for want of a route is sent again over the next one") {
  WorldModel repairs;
  repairs.repair.timeout = span(700);
  repairs.repair.longest = span(700);
  repairs.repair.retries = 3;
  constexpr auto delivered = EventKind::delivered, lost = EventKind::lost;
  for (const Sharing sharing : {Sharing::none, Sharing::fifo, Sharing::fair})
    CHECK(ends_of(sharing, {1600}, repairs) == Ends{{lost, at(1600)}, {delivered, at(2300 + 100)}});
}

TEST_CASE("in order, a message over a shorter path waits for one that took a longer one") {
  constexpr auto delivered = EventKind::delivered;
  for (const Sharing sharing : {Sharing::none, Sharing::fifo, Sharing::fair}) {
    CHECK(ends_of(sharing, {1490, 2000}) == Ends{{delivered, at(2390)}, {delivered, at(2390)}});
    WorldModel overtaking;
    overtaking.in_order = false;
    CHECK(ends_of(sharing, {1490, 2000}, overtaking) == Ends{{delivered, at(2100)}, {delivered, at(2390)}});
  }
}

}  // namespace lagnet::transport_detours_test
