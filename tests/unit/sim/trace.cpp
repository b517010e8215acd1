#include "sim/trace.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/sim/world.hpp"

using namespace lagnet;
using namespace lagnet::test;

namespace {

Occurrence sample() {
  return {.at = at(1500),
          .what = What::sent,
          .agent = 2,
          .peer = 3,
          .link = 4,
          .round = 5,
          .amount = 80,
          .duration = span(6)};
}

std::uint64_t hash_of(const std::vector<Occurrence>& all) {
  Trace trace;
  for (const Occurrence& one : all) trace.occurred(one);
  return trace.hash();
}

}  // namespace

TEST_CASE("The hash covers every time, kind, agent, peer, round, amount and duration, and their order") {
  std::vector<Occurrence> variants(8, sample());
  variants[1].at = at(1501);
  variants[2].what = What::delivered;
  variants[3].agent = 7;
  variants[4].peer = 7;
  variants[5].round = 6;
  variants[6].amount = 81;
  variants[7].duration = span(7);
  std::set<std::uint64_t> hashes;
  for (const Occurrence& one : variants) hashes.insert(hash_of({one}));
  CHECK(hashes.size() == variants.size());
  CHECK(hash_of({variants[0], variants[1]}) != hash_of({variants[1], variants[0]}));
  CHECK(hash_of({variants[0], variants[0]}) != hash_of({variants[0]}));
  CHECK(hash_of({variants[0], variants[1]}) == hash_of({variants[0], variants[1]}));
}

TEST_CASE("Swapping agent and peer changes the hash") {
  Occurrence swapped = sample();
  std::swap(swapped.agent, swapped.peer);
  CHECK(hash_of({swapped}) != hash_of({sample()}));
}

TEST_CASE("The hash is written as sixteen hexadecimal digits") {
  const std::string text = Trace().hash_text();
  CHECK(text == "6c61676e65740001");  // "lagnet" and the version of what is covered
}

TEST_CASE("With a stream every event is one JSON object on its line") {
  std::ostringstream lines;
  Trace trace(&lines);
  trace.occurred(sample());
  trace.occurred({.at = at(2000), .what = What::reported, .agent = 1, .peer = 1, .round = 7, .amount = 3});
  CHECK(lines.str() == R"({"time_ns":1500,"event":"sent","agent":2,"peer":3,"round":5,"amount":80,"duration_ns":6})"
                       "\n"
                       R"({"time_ns":2000,"event":"reported","agent":1,"peer":1,"round":7,"amount":3,"duration_ns":0})"
                       "\n");
  CHECK(trace.events() == 2);
}

TEST_CASE("A stream does not change the hash") {
  std::ostringstream lines;
  Trace with(&lines);
  with.occurred(sample());
  CHECK(with.hash() == hash_of({sample()}));
}

TEST_CASE("Every kind of event has a name of its own") {
  std::set<std::string_view> names;
  for (const What what : {What::sent, What::delivered, What::late, What::superseded, What::computed, What::waited,
                          What::slept, What::reported})
    names.insert(name(what));
  CHECK(names.size() == 8);
  CHECK(names.count("unknown") == 0);
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
  CHECK(lines.str() == R"({"time_ns":0,"event":"slept","agent":0,"peer":0,"round":0,"amount":0,"duration_ns":5})"
                       "\n"
                       R"({"time_ns":5,"event":"sent","agent":0,"peer":1,"round":3,"amount":8,"duration_ns":0})"
                       "\n"
                       R"({"time_ns":15,"event":"delivered","agent":1,"peer":0,"round":3,"amount":8,"duration_ns":0})"
                       "\n"
                       R"({"time_ns":15,"event":"waited","agent":1,"peer":1,"round":0,"amount":0,"duration_ns":15})"
                       "\n"
                       R"({"time_ns":15,"event":"reported","agent":1,"peer":1,"round":3,"amount":1,"duration_ns":0})"
                       "\n");
  CHECK(trace.hash() == world.trace.hash());
}
