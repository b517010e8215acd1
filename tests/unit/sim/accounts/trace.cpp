#include "sim/accounts/trace.hpp"

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::trace_test {

using namespace lagnet::test;

namespace {

SimEvent sample() {
  return {.at = at(1500),
          .what = EventKind::sent,
          .agent = 2,
          .peer = 3,
          .link = 4,
          .round = 5,
          .amount = 80,
          .duration = span(6),
          .serial = 9};
}

constexpr std::array every_kind{EventKind::sent,       EventKind::delivered, EventKind::lost,      EventKind::late,
                                EventKind::superseded, EventKind::duplicate, EventKind::dropped,   EventKind::stale,
                                EventKind::collected,  EventKind::computed,  EventKind::encrypted, EventKind::waited,
                                EventKind::slept,      EventKind::away,      EventKind::restarted, EventKind::reported};
constexpr std::array every_cause{Cause::none,     Cause::retransmission, Cause::duplication, Cause::loss,
                                 Cause::burst,    Cause::link_down,      Cause::partition,   Cause::receiver_down,
                                 Cause::deadline, Cause::enough,         Cause::moved_on};

/// What a trace writes about one event, without the line break.
std::string line_of(const SimEvent& one) {
  std::ostringstream lines;
  Trace(&lines).on_event(one);
  std::string line = lines.str();
  line.pop_back();
  return line;
}

std::uint64_t hash_of(const std::vector<SimEvent>& all) {
  Trace trace;
  for (const SimEvent& one : all) trace.on_event(one);
  return trace.hash();
}

}  // namespace

TEST_CASE(
    "The hash covers an agent's events in their order: all but the link, which agent and peer give, and the serial") {
  std::vector<SimEvent> variants(10, sample());
  variants[1].at = at(1501);
  variants[2].what = EventKind::delivered;
  variants[3].agent = 7;
  variants[4].peer = 7;
  variants[5].round = 6;
  variants[6].amount = 81;
  variants[7].duration = span(7);
  variants[8].cause = Cause::retransmission;
  variants[9].queued = span(1);
  std::set<std::uint64_t> hashes;
  for (const SimEvent& one : variants) hashes.insert(hash_of({one}));
  CHECK(hashes.size() == variants.size());
  CHECK(hash_of({variants[0], variants[1]}) != hash_of({variants[1], variants[0]}));
  CHECK(hash_of({variants[0], variants[0]}) != hash_of({variants[0]}));
  CHECK(hash_of({variants[0], variants[1]}) == hash_of({variants[0], variants[1]}));
  SimEvent renumbered = sample();  // serials number the messages of all agents
  renumbered.serial = 10;
  CHECK(hash_of({renumbered}) == hash_of({sample()}));
}

TEST_CASE("The hash does not depend on the order of two agents' events") {
  SimEvent of_another = sample();
  of_another.agent = 0;
  const SimEvent first = sample();
  SimEvent second = sample();
  second.at = at(1600);
  CHECK(hash_of({first, second, of_another}) == hash_of({of_another, first, second}));
  CHECK(hash_of({first, of_another, second}) == hash_of({of_another, first, second}));
  CHECK(hash_of({second, of_another, first}) != hash_of({of_another, first, second}));
}

TEST_CASE("The hash distinguishes every kind of event and every cause") {
  std::set<std::uint64_t> hashes;
  for (const EventKind what : every_kind)
    for (const Cause cause : every_cause) {
      SimEvent one = sample();
      one.what = what;
      one.cause = cause;
      hashes.insert(hash_of({one}));
    }
  CHECK(hashes.size() == every_kind.size() * every_cause.size());
}

TEST_CASE("Swapping agent and peer changes the hash") {
  SimEvent swapped = sample();
  std::swap(swapped.agent, swapped.peer);
  CHECK(hash_of({swapped}) != hash_of({sample()}));
}

TEST_CASE("The hash is written as sixteen hexadecimal digits") {
  const std::string text = Trace().hash_text();
  CHECK(text == "6c61676e65740002");  // "lagnet" and the version of what is covered
}

TEST_CASE("With a stream every event is one JSON object on its line") {
  std::ostringstream lines;
  Trace trace(&lines);
  trace.on_event(sample());
  trace.on_event({.at = at(2000), .what = EventKind::reported, .agent = 1, .peer = 1, .round = 7, .amount = 3});
  CHECK(lines.str() ==
        R"({"time_ns":1500,"event":"sent","agent":2,"peer":3,"round":5,"bytes":80,"message":9,"duration_ns":6})"
        "\n"
        R"({"time_ns":2000,"event":"reported","agent":1,"peer":1,"round":7,"hops":3})"
        "\n");
  CHECK(trace.events() == 2);
}

TEST_CASE("The lines end when they have taken their bytes, and the hash goes on") {
  std::ostringstream lines;
  Trace all, trace(&lines, 100);  // the first line has 104 with its end
  for (const SimEvent& event : {sample(), SimEvent{.at = at(2000), .what = EventKind::reported}}) {
    all.on_event(event);
    trace.on_event(event);
  }
  CHECK(lines.str() == line_of(sample()) + "\n");
  CHECK((trace.bytes() == std::ssize(lines.str()) && trace.full_at() == at(1500)));
  CHECK((trace.hash() == all.hash() && trace.events() == 2));
  CHECK_FALSE(all.full_at());
}

TEST_CASE("The unit of an event's amount is its key, and an event without an amount has none") {
  const auto keys = [](EventKind what) { return line_of({.what = what, .amount = 4}); };
  const auto expected = [](std::string_view event, const std::string& amount) {
    return fmt::format(R"({{"time_ns":0,"event":"{}","agent":0,"peer":0,"round":0{}}})", event, amount);
  };
  for (const EventKind what : {EventKind::sent, EventKind::delivered, EventKind::lost})
    CHECK(keys(what) == expected(name(what), R"(,"bytes":4)"));
  CHECK(keys(EventKind::computed) == expected("computed", R"(,"flops":4)"));
  CHECK(keys(EventKind::encrypted) == expected("encrypted", R"(,"scalars":4)"));
  CHECK(keys(EventKind::stale) == expected("stale", R"(,"rounds_old":4)"));
  CHECK(keys(EventKind::collected) == expected("collected", R"(,"answers":4)"));
  CHECK(keys(EventKind::reported) == expected("reported", R"(,"hops":4)"));
  for (const EventKind what : {EventKind::late, EventKind::superseded, EventKind::duplicate, EventKind::dropped,
                               EventKind::slept, EventKind::away, EventKind::restarted})
    CHECK(keys(what) == expected(name(what), ""));
  CHECK(keys(EventKind::waited) == expected("waited", R"(,"away_ns":4)"));
  CHECK(line_of({.what = EventKind::waited}) == expected("waited", ""));  // all the time up
}

TEST_CASE("Message, duration, time in queues and cause are written if present") {
  SimEvent lost{.at = at(70), .what = EventKind::lost, .cause = Cause::burst, .agent = 1, .peer = 2, .amount = 16};
  lost.duration = span(30);
  lost.queued = span(20);
  lost.serial = 5;
  const std::string start = R"({"time_ns":70,"event":"lost","agent":1,"peer":2,"round":0,"bytes":16)";
  CHECK(line_of(lost) == start + R"(,"message":5,"duration_ns":30,"queued_ns":20,"cause":"burst"})");
  lost.queued = Duration();
  CHECK(line_of(lost) == start + R"(,"message":5,"duration_ns":30,"cause":"burst"})");
  lost.serial = 0;
  lost.duration = Duration();
  lost.cause = Cause::none;
  CHECK(line_of(lost) == start + "}");
}

TEST_CASE("A stream does not change the hash") {
  std::ostringstream lines;
  Trace with(&lines);
  with.on_event(sample());
  CHECK(with.hash() == hash_of({sample()}));
}

TEST_CASE("Every kind of event and every cause has a name of its own") {
  std::set<std::string_view> names{"unknown"};
  for (const EventKind what : every_kind) names.insert(name(what));
  CHECK(names.size() == every_kind.size() + 1);
  std::set<std::string_view> causes{"unknown"};
  for (const Cause cause : every_cause) causes.insert(name(cause));
  CHECK(causes.size() == every_cause.size() + 1);
}

TEST_CASE("The trace of a small run is this one") {
  World world(2, line({10}));
  std::ostringstream lines;
  Trace trace(&lines);
  world.sim.listen(trace);
  const auto receive = [](Agent& me) -> Task<> {
    const Message message = co_await me.receive();
    me.report(message.round);
  };
  world.spawn(0, sleep_then_send(world.agent(0), span(5), 1, 3, 1));
  world.spawn(1, receive(world.agent(1)));
  world.run();
  CHECK(lines.str() ==
        R"({"time_ns":0,"event":"slept","agent":0,"peer":0,"round":0,"duration_ns":5})"
        "\n"
        R"({"time_ns":5,"event":"sent","agent":0,"peer":1,"round":3,"bytes":8,"message":1})"
        "\n"
        R"({"time_ns":15,"event":"delivered","agent":1,"peer":0,"round":3,"bytes":8,"message":1,"duration_ns":10})"
        "\n"
        R"({"time_ns":15,"event":"waited","agent":1,"peer":1,"round":0,"duration_ns":15})"
        "\n"
        R"({"time_ns":15,"event":"reported","agent":1,"peer":1,"round":3,"hops":1})"
        "\n");
  CHECK(trace.hash() == world.trace.hash());
}

}  // namespace lagnet::trace_test
