#include "sim/world/availability_processes.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

namespace lagnet::availability_processes_test {

namespace {

constexpr Time at(std::int64_t ns) { return Time::nanoseconds(ns); }
constexpr Duration lasting(std::int64_t ns) { return Duration::nanoseconds(ns); }
constexpr Time never = Time::never();
constexpr Purpose purpose{"on_off"};

/// "up until 7", for one line a query.
std::string spell(const AvailabilityProcess& process, AgentId agent, std::int64_t ns) {
  const auto [up, until] = process.at(agent, at(ns));
  return (up ? "up until " : "down until ") + (until == never ? "never" : std::to_string(until.ns()));
}

/// The spells of an agent up to a time.
std::vector<AvailabilityProcess::Spell> spells(const AvailabilityProcess& process, AgentId agent, Time end) {
  std::vector<AvailabilityProcess::Spell> all;
  for (Time time; time < end; time = all.back().until) all.push_back(process.at(agent, time));
  return all;
}

}  // namespace

TEST_CASE("On-off spells follow each other up and down, and a time within a spell gives that spell") {
  const OnOff process(1, purpose, 3, {lasting(1000), lasting(300)});
  for (AgentId agent = 0; agent < 3; ++agent) {
    const auto all = spells(process, agent, at(100'000));
    REQUIRE(all.size() > 10);
    Time start;
    for (std::size_t k = 0; k < all.size(); ++k) {
      CHECK(all[k].up == (all[0].up == (k % 2 == 0)));
      REQUIRE(all[k].until > start);
      const auto last = process.at(agent, at(all[k].until.ns() - 1));
      CHECK(last.up == all[k].up);
      CHECK(last.until == all[k].until);
      start = all[k].until;
    }
  }
}

TEST_CASE("On-off answers do not depend on the order of the queries") {
  const OnOff forward(7, purpose, 4, {lasting(50), lasting(70)}), backward(7, purpose, 4, {lasting(50), lasting(70)});
  constexpr std::int64_t end = 2000;
  std::vector<std::string> there, back;
  for (std::int64_t ns = 0; ns < end; ++ns)
    for (AgentId agent = 0; agent < 4; ++agent) there.push_back(spell(forward, agent, ns));
  for (std::int64_t ns = end; ns-- > 0;)
    for (AgentId agent = 4; agent-- > 0;) back.push_back(spell(backward, agent, ns));
  std::ranges::reverse(back);
  CHECK(there == back);
}

TEST_CASE("On-off differs between agents, seeds and purposes") {
  const OnOffMeans means{lasting(1000), lasting(1000)};
  const OnOff one(1, purpose, 2, means), other_seed(2, purpose, 2, means), other(1, Purpose{"on_off 1"}, 2, means);
  const std::set<std::int64_t> ends{one.at(0, at(0)).until.ns(), one.at(1, at(0)).until.ns(),
                                    other_seed.at(0, at(0)).until.ns(), other.at(0, at(0)).until.ns()};
  CHECK(ends.size() == 4);
}

TEST_CASE("The share of agents that is up is that of the stationary state at every time") {
  constexpr AgentId agents = 20'000;
  const OnOff process(3, purpose, agents, {lasting(3000), lasting(1000)});
  for (const std::int64_t ns : {0, 500, 5000, 50'000}) {
    int up = 0;
    for (AgentId agent = 0; agent < agents; ++agent) up += process.at(agent, at(ns)).up;
    // Agents are independent: five standard deviations of a binomial count. Rounding to at least 1 ns changes the
    // means by less than 1e-3 of themselves, the share of 3/4 by less than 2e-4, a twentieth of the bound.
    CHECK(std::abs(up - 0.75 * agents) < 5 * std::sqrt(0.75 * 0.25 * agents));
  }
}

TEST_CASE("On-off spells have the means that were asked for") {
  constexpr AgentId agents = 20'000;
  constexpr double mean_up = 3e6, mean_down = 1e6;
  const OnOff process(4, purpose, agents, {lasting(3'000'000), lasting(1'000'000)});
  double sum_up = 0, sum_down = 0;
  for (AgentId agent = 0; agent < agents; ++agent) {
    // Spells 1 and 2 of each agent: whole ones, of either kind, and not chosen by their length.
    const auto first = process.at(agent, at(0)), second = process.at(agent, first.until);
    const auto third = process.at(agent, second.until);
    const auto second_ns = static_cast<double>((second.until - first.until).ns());
    const auto third_ns = static_cast<double>((third.until - second.until).ns());
    sum_up += second.up ? second_ns : third_ns;
    sum_down += second.up ? third_ns : second_ns;
  }
  // An exponential time has its mean as deviation; five deviations of the mean of independent ones.
  CHECK(std::abs(sum_up / agents - mean_up) < 5 * mean_up / std::sqrt(agents));
  CHECK(std::abs(sum_down / agents - mean_down) < 5 * mean_down / std::sqrt(agents));
}

TEST_CASE("Every on-off spell lasts at least a nanosecond, and one beyond 292 years for ever") {
  const OnOff hectic(1, purpose, 1, {lasting(1), lasting(1)});
  Time before;
  for (const auto& each : spells(hectic, 0, at(1000))) {
    REQUIRE(each.until > before);
    before = each.until;
  }
  const OnOff slow(1, purpose, 50, {lasting(never.ns()), lasting(never.ns())});
  int endless = 0;
  for (AgentId agent = 0; agent < 50; ++agent) endless += slow.at(agent, at(0)).until == never;
  // A length of mean M stays below M with probability 1 - 1/e: each of 50 doing so would have probability 1e-10.
  CHECK(endless > 0);
  for (AgentId agent = 0; agent < 50; ++agent) CHECK(slow.at(agent, at(never.ns() - 1)).until == never);
  CHECK_THROWS_WITH(OnOff(1, purpose, 1, {lasting(0), lasting(5)}),
                    "expected mean times above 0 ns, found 0 ns up and 5 ns down");
}

TEST_CASE("More on-off spells than are remembered are refused with the time that they reach") {
  // 1 us each: 50 million end after 50 s, to one part in 7000.
  const OnOff hectic(1, purpose, 2, {lasting(1000), lasting(1000)});
  CHECK(hectic.at(1, at(1'000'000)).until > at(1'000'000));
  CHECK_THROWS_WITH(hectic.at(0, at(3'000'000'000'000)),
                    Catch::StartsWith("on_off: expected at most 50000000 times up and down of all agents together, "
                                      "found more by 4") ||
                        Catch::StartsWith("on_off: expected at most 50000000 times up and down of all agents together, "
                                          "found more by 50"));
}

TEST_CASE("Outages are found per agent, in whatever order they were given") {
  const Outages list({{2, at(5), at(7)}, {0, at(30), never}, {2, at(0), at(5)}, {0, at(10), at(20)}});
  CHECK(spell(list, 0, 0) == "up until 10");
  CHECK(spell(list, 0, 10) == "down until 20");
  CHECK(spell(list, 0, 20) == "up until 30");
  CHECK(spell(list, 0, 30) == "down until never");
  CHECK(spell(list, 1, 12) == "up until never");
  CHECK(spell(list, 2, 4) == "down until 5");
  CHECK(spell(list, 2, 5) == "down until 7");
  CHECK(spell(list, 2, 7) == "up until never");
  CHECK(list.concerns(0));
  CHECK_FALSE(list.concerns(1));
}

TEST_CASE("Outages that are empty or overlap are all named") {
  CHECK_THROWS_WITH(Outages({{1, at(4), at(4)}, {0, at(1), at(5)}, {0, at(4), at(6)}}),
                    "outage of agent 0 from 4 to 6 ns: overlaps another\n"
                    "outage of agent 1 from 4 to 4 ns: ends before it begins");
}

TEST_CASE("A daily rhythm is up for the first part of each period, shifted by the agent's phase") {
  const Diurnal process(lasting(24), lasting(8), {lasting(0), lasting(20)});
  CHECK(spell(process, 0, 0) == "up until 8");
  CHECK(spell(process, 0, 8) == "down until 24");
  CHECK(spell(process, 0, 24 * 5 + 7) == "up until 128");
  CHECK(spell(process, 1, 0) == "down until 4");  // local time 20
  CHECK(spell(process, 1, 4) == "up until 12");
  CHECK(spell(process, 1, 12) == "down until 28");
  CHECK(spell(process, 1, never.ns() - 1).ends_with("until never"));
}

TEST_CASE("A rhythm that is always up affects no agent, and one without a period is refused") {
  const Diurnal process(lasting(24), lasting(24), {lasting(3)});
  CHECK(spell(process, 0, 23) == "up until never");
  CHECK_FALSE(process.concerns(0));
  CHECK_THROWS_AS(Diurnal(lasting(24), lasting(0), {}), std::invalid_argument);
  CHECK_THROWS_AS(Diurnal(lasting(24), lasting(25), {}), std::invalid_argument);
  CHECK_THROWS_AS(Diurnal(lasting(24), lasting(8), {lasting(24)}), std::invalid_argument);
}

TEST_CASE("Random phases are spread over the period") {
  constexpr AgentId agents = 10'000;
  const auto phases = Diurnal::random_phases(1, Purpose{"diurnal"}, agents, lasting(1000));
  double sum = 0;
  std::set<std::int64_t> seen;
  for (const Duration phase : phases) {
    REQUIRE((phase >= lasting(0) && phase < lasting(1000)));
    sum += static_cast<double>(phase.ns());
    seen.insert(phase.ns());
  }
  // Uniform on 0 .. 999: mean 499.5, deviation sqrt((1000^2 - 1) / 12) = 288.7; five deviations of the mean.
  CHECK(std::abs(sum / agents - 499.5) < 5 * 288.7 / std::sqrt(agents));
  // A value is missed with probability (1 - 1/1000)^10000 = 4.5e-5, so 0.045 are expected to be; 10 would be a fault.
  CHECK(seen.size() > 990);
}

TEST_CASE("A crash strikes one agent, and leaves a restart if it loses the state and ends") {
  const Crash kept({.agent = 1, .at = at(5), .recovers_after = lasting(2), .loses_state = false});
  CHECK(spell(kept, 1, 4) == "up until 5");
  CHECK(spell(kept, 1, 5) == "down until 7");
  CHECK(spell(kept, 1, 7) == "up until never");
  CHECK(spell(kept, 0, 5) == "up until never");
  CHECK(kept.restarts().empty());
  const Crash lost({.agent = 1, .at = at(5), .recovers_after = lasting(2)});
  CHECK(lost.restarts() == std::vector<AvailabilityProcess::Restart>{{1, at(5), at(7)}});
  CHECK_THROWS_AS(Crash({.agent = 1, .at = at(5), .recovers_after = lasting(0)}), std::invalid_argument);
}

TEST_CASE("A process for some agents leaves the others up") {
  const OnlyFor some({2, 0}, std::make_shared<const Diurnal>(lasting(10), lasting(5), std::vector<Duration>(3)));
  CHECK(spell(some, 0, 7) == "down until 10");
  CHECK(spell(some, 1, 7) == "up until never");
  CHECK(spell(some, 2, 7) == "down until 10");
  CHECK(some.concerns(2));
  CHECK_FALSE(some.concerns(1));
  CHECK(OnlyFor({0}, std::make_shared<const Crash>(CrashPlan{1, at(5), lasting(2), true})).restarts().empty());
}

}  // namespace lagnet::availability_processes_test
