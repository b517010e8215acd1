#include "sim/engine/tied_events.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "sim/base/draws.hpp"

namespace lagnet::tied_events_test {

namespace {

using Place = TiedEvents::Place;

/// Events of one time; the subject of each is where its place lies in `places`.
std::vector<RadixQueue::Entry> events_of(const std::vector<Place>& places) {
  std::vector<RadixQueue::Entry> events;
  for (std::uint32_t k = 0; k < places.size(); ++k) events.push_back({5, Event(Event::Kind::timer, k, 0)});
  return events;
}

std::vector<std::uint32_t> subjects(const std::vector<RadixQueue::Entry>& events) {
  std::vector<std::uint32_t> subjects;
  for (const RadixQueue::Entry& entry : events) subjects.push_back(entry.event.subject());
  return subjects;
}

/// What TiedEvents makes of them is what std::stable_sort makes of them.
void check(const std::vector<Place>& places) {
  const auto place_of = [&](Event event) { return places[event.subject()]; };
  auto events = events_of(places), expected = events;
  std::ranges::stable_sort(expected, {}, [&](const RadixQueue::Entry& entry) { return place_of(entry.event); });
  TiedEvents().sort(events, place_of);
  CHECK(subjects(events) == subjects(expected));
}

Place caused_by(AgentId agent, std::uint64_t count) { return {TiedEvents::Rank::caused, agent, count}; }

}  // namespace

TEST_CASE("tied events are sorted by rank, then agent, then count") {
  check({{TiedEvents::Rank::transfers, 0, 0},
         caused_by(2, 9),
         caused_by(2, 3),
         caused_by(1, 7),
         {TiedEvents::Rank::restart, 8, 0}});
}

TEST_CASE("tied events in order stay, and one that comes late moves to its place at the front, inside or at the end") {
  check({caused_by(1, 0)});
  check({caused_by(1, 0), caused_by(2, 0), caused_by(3, 0)});
  check({caused_by(2, 0), caused_by(4, 0), caused_by(6, 0), caused_by(1, 0)});
  check({caused_by(2, 0), caused_by(4, 0), caused_by(6, 0), caused_by(5, 0), caused_by(7, 0)});
}

TEST_CASE("events of equal places keep their order") {
  check({{TiedEvents::Rank::transfers, 0, 0},
         {TiedEvents::Rank::transfers, 0, 0},
         caused_by(3, 1),
         {TiedEvents::Rank::transfers, 0, 0},
         caused_by(3, 1)});
}

TEST_CASE("tied events are sorted as a stable sort does it, whatever their order") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed, Purpose{"tied events"});
    std::vector<Place> places(1 + draws.below(60));
    const std::uint64_t agents = 1 + draws.below(40);
    for (Place& place : places) place = caused_by(static_cast<AgentId>(draws.below(agents)), draws.below(3));
    // Some of them begin with a long sorted row, as those of a run do.
    std::ranges::sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(draws.below(places.size() + 1)));
    check(places);
  }
}

}  // namespace lagnet::tied_events_test
