#include "sim/engine/radix_queue.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"

namespace lagnet::radix_queue_test {

namespace {

/// One of many that differ.
Event event(std::uint32_t number) { return {Event::Kind::message, number, ~number}; }

/// The order that a queue must have, as plainly as can be: a multimap keeps equal keys in the order of their insertion.
class Oracle {
 public:
  void push(Time at, Event event) { pending_.emplace(at.ns(), event); }
  Event pop() {
    const Event event = pending_.begin()->second;
    pending_.erase(pending_.begin());
    return event;
  }
  Time next_time() const { return Time::nanoseconds(pending_.begin()->first); }
  std::size_t size() const { return pending_.size(); }

 private:
  std::multimap<std::int64_t, Event> pending_;
};

struct Workload {
  std::string name;
  std::function<std::int64_t(Draws&)> delay_ns;  // from the present time to the next event's
};

std::vector<Workload> workloads() {
  return {
      {"PHOLD", [](Draws& d) { return std::llround(1e4 * d.exponential()); }},
      {"bimodal", [](Draws& d) { return std::llround((d.bernoulli(0.05) ? 1e7 : 1e3) * d.uniform()); }},
      {"massive ties", [](Draws& d) { return 10 * static_cast<std::int64_t>(d.below(3)); }},
      {"zero delay", [](Draws&) { return std::int64_t{0}; }},
      {"Pareto", [](Draws& d) { return std::llround(std::min(1e15, 100 * std::pow(d.uniform(), -1 / 1.1))); }},
  };
}

/// Grows to `most` events, holds there with one push for each pop, and drains; popped events must be the oracle's.
void compare_with_oracle(const Workload& work, std::size_t most) {
  RadixQueue queue;
  Oracle oracle;
  Draws draws(1, Purpose(work.name), static_cast<AgentId>(most));
  Time now;
  std::uint32_t pushed = 0;
  const auto push = [&] {
    const Time at = now + Duration::nanoseconds(work.delay_ns(draws));
    queue.push(at, event(pushed));
    oracle.push(at, event(pushed));
    ++pushed;
  };
  const auto pop = [&] {
    REQUIRE(queue.size() == oracle.size());
    REQUIRE(queue.next_time() == oracle.next_time());
    REQUIRE(queue.next_time() >= now);
    now = queue.next_time();
    REQUIRE(queue.pop() == oracle.pop());
  };
  for (std::size_t i = 0; i < 2 * most; ++i) {  // two pushes, one pop
    push();
    if (i % 2) pop();
  }
  for (std::size_t i = 0; i < 5 * most; ++i) {
    pop();
    push();
  }
  while (oracle.size() > 0) pop();
  REQUIRE(queue.empty());
}

}  // namespace

TEST_CASE("Events leave in the order of their times, equal times first in first out") {
  for (const Workload& work : workloads())
    for (const std::size_t most : {1u, 2u, 5u, 100u, 3000u, 6000u}) {
      INFO(work.name << " with " << most << " events");
      compare_with_oracle(work, most);
    }
}

TEST_CASE("Times over the whole range of 64 bits keep their order") {
  RadixQueue queue;
  const std::int64_t most = Time::never().ns();
  const std::vector<std::int64_t> times{most, 0, most - 1, std::int64_t{1} << 62, 1, most};
  for (std::uint32_t i = 0; i < times.size(); ++i) queue.push(Time::nanoseconds(times[i]), event(i));
  for (const std::uint32_t expected : {1u, 4u, 3u, 2u, 0u, 5u}) CHECK(queue.pop() == event(expected));
}

TEST_CASE("Times anywhere in 292 years keep their order, and those that come while they leave") {
  const auto several = GENERATE(40, 400);
  RadixQueue queue;
  Oracle oracle;
  Draws draws(1, Purpose{"times"});
  std::uint32_t pushed = 0;
  const auto push = [&](std::int64_t now, double share) {  // of the time that is left until 2^63
    const double rest = 0x1p63 - static_cast<double>(now) - 0x1p11;
    const Time at = Time::nanoseconds(now + static_cast<std::int64_t>(share * rest));
    queue.push(at, event(pushed));
    oracle.push(at, event(pushed++));
  };
  for (int i = 0; i < several; ++i) push(0, draws.uniform());
  while (oracle.size() > 0) {
    const Time now = queue.next_time();
    REQUIRE(now == oracle.next_time());
    REQUIRE(queue.pop() == oracle.pop());
    if (now.ns() < std::int64_t{15} << 59) push(now.ns(), draws.uniform() / 4);
  }
  CHECK(queue.empty());
}

TEST_CASE("Half of the events without delay leave the radix heap as quickly as others, whatever waits behind them") {
  // 20,000 events a second apart, and two that follow each other at once for as long: had each of them to pass the
  // others, this would take 4e8 moves; the order is the oracle's.
  RadixQueue queue;
  Oracle oracle;
  const auto push = [&](std::int64_t ns, Event pushed) {
    queue.push(Time::nanoseconds(ns), pushed);
    oracle.push(Time::nanoseconds(ns), pushed);
  };
  for (std::uint32_t i = 0; i < 20'000; ++i) push(1 + i % 7, event(i));
  for (std::uint32_t i = 0; i < 60'000; ++i) {
    const Time now = queue.next_time();
    REQUIRE(now == oracle.next_time());
    const Event earliest = queue.pop();
    REQUIRE(earliest == oracle.pop());
    push(now.ns() + (i % 2 ? 0 : 3 + i % 1000), earliest);
  }
}

TEST_CASE("An event keeps the largest numbers that it can hold") {
  RadixQueue queue;
  queue.push(Time(), Event(Event::Kind::transport, max_subjects - 1, ~std::uint32_t{0}));
  const Event popped = queue.pop();
  CHECK(popped.kind() == Event::Kind::transport);
  CHECK(popped.subject() == max_subjects - 1);
  CHECK(popped.detail() == ~std::uint32_t{0});
}

TEST_CASE("The radix heap takes nothing before the last popped time") {
  RadixQueue queue;
  queue.push(Time::nanoseconds(5), event(1));
  queue.pop();
  CHECK_THROWS_AS(queue.push(Time::nanoseconds(4), event(2)), InternalError);
}

TEST_CASE("The radix heap shows all events of the last popped time, and they leave in the order that they are given") {
  for (const std::uint32_t ties : {1u, 2u, 40u, 5000u}) {
    RadixQueue queue;
    for (std::uint32_t k = 0; k < ties; ++k) {
      queue.push(Time::nanoseconds(70), event(k));
      queue.push(Time::nanoseconds(71 + k), event(ties + k));
    }
    std::size_t seen = 0;
    queue.for_each([&seen](Event) { ++seen; });
    CHECK(seen == 2 * ties);
    REQUIRE(queue.pop() == event(0));
    const auto tied = queue.tied_with_last();
    REQUIRE(tied.size() == ties);
    CHECK(tied.front().event == event(0));
    std::ranges::reverse(tied);
    queue.push(Time::nanoseconds(70), event(9 * ties));  // comes after those that are there
    for (std::uint32_t k = ties - 1; k-- > 0;) REQUIRE(queue.pop() == event(k));
    REQUIRE(queue.pop() == event(9 * ties));
    CHECK(queue.next_time() == Time::nanoseconds(71));
    CHECK(queue.tied_with_last().size() == 1);
  }
}

TEST_CASE("Nothing can be taken from an empty queue") {
  RadixQueue queue;
  CHECK(queue.empty());
  CHECK_THROWS_AS(queue.pop(), InternalError);
  queue.push(Time(), event(1));
  queue.pop();
  CHECK_THROWS_AS(queue.pop(), InternalError);
}

}  // namespace lagnet::radix_queue_test
