#include "sim/world/participation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/base/errors.hpp"

namespace lagnet::participation_test {

namespace {

using Agents = std::vector<AgentId>;

/// The agents from 1 on, as the clients of a server 0.
Agents clients(std::size_t count) {
  Agents list(count);
  std::iota(list.begin(), list.end(), 1u);
  return list;
}

/// Ascending, each once, and all of them candidates.
bool is_part_of(const Agents& members, const Agents& candidates) {
  return std::ranges::is_sorted(members) && std::ranges::adjacent_find(members) == members.end() &&
         std::ranges::includes(candidates, members);
}

}  // namespace

TEST_CASE("Full participation asks everybody") {
  CHECK(FullParticipation().chosen(3, clients(4)) == clients(4));
  CHECK(FullParticipation().chosen(3, Agents{}).empty());
}

TEST_CASE("A random subset has the size that was asked for, or all if there are fewer") {
  const Agents candidates = clients(20);
  for (const std::size_t size : {1, 7, 19, 20, 25}) {
    const auto subset = RandomSubset::of_size(1, size);
    for (Round r = 1; r <= 20; ++r) {
      const Agents members = subset.chosen(r, candidates);
      CHECK(members.size() == std::min<std::size_t>(size, 20));
      CHECK(is_part_of(members, candidates));
    }
  }
  CHECK(RandomSubset::of_size(1, 3).chosen(1, Agents{}).empty());
  CHECK_THROWS_AS(RandomSubset::of_size(1, 0), std::invalid_argument);
}

TEST_CASE("The number of clients that each round asks is known where it is one number") {
  CHECK(FullParticipation().asked_each_round(7) == 7u);
  CHECK(RandomSubset::of_size(1, 3).asked_each_round(7) == 3u);
  CHECK(RandomSubset::of_size(1, 9).asked_each_round(7) == 7u);
  CHECK(RandomSubset::of_fraction(1, 0.5).asked_each_round(7) == 4u);
  CHECK(!IndependentParticipation(1, 0.5).asked_each_round(7));
  CHECK(!CyclicParticipation(2).asked_each_round(7));
  CHECK(!ListedParticipation({{1, 2}}).asked_each_round(7));
}

TEST_CASE("A fraction is rounded up, and not by the rounding of its digits") {
  const auto size = [](double fraction, std::size_t count) {
    return RandomSubset::of_fraction(1, fraction).chosen(1, clients(count)).size();
  };
  CHECK(size(0.1, 10) == 1);
  CHECK(size(0.1, 11) == 2);
  CHECK(size(0.07, 100) == 7);  // 7.000000000000001 in doubles
  CHECK(size(0.001, 5) == 1);
  CHECK(size(1, 5) == 5);
  for (std::size_t count = 1; count <= 300; ++count)
    for (std::size_t part = 1; part <= count; ++part)
      if (size(static_cast<double>(part) / static_cast<double>(count), count) != part) FAIL(part << " of " << count);
  CHECK_THROWS_AS(RandomSubset::of_fraction(1, 0), std::invalid_argument);
  CHECK_THROWS_AS(RandomSubset::of_fraction(1, 1.5), std::invalid_argument);
}

TEST_CASE("A fraction goes to the nearest number of clients, halves up, and at least to one") {
  const auto nearest = [](std::uint64_t seed, double fraction) {
    return RandomSubset::of_fraction(seed, fraction, WholeClients::nearest);
  };
  const auto size = [&](double fraction, std::size_t count) {
    return nearest(1, fraction).chosen(1, clients(count)).size();
  };
  CHECK(size(0.9, 9) == 8);       // 8.1
  CHECK(size(0.5, 9) == 5);       // 4.5
  CHECK(size(0.1, 25) == 3);      // 2.5
  CHECK(size(0.1, 144) == 14);    // 14.4
  CHECK(size(0.01, 9) == 1);      // 0.09
  CHECK(size(0.145, 100) == 15);  // 14.499999999999998 in doubles
  CHECK(size(1, 9) == 9);
  CHECK(nearest(3, 0.5).chosen(4, clients(9)) == RandomSubset::of_size(3, 5).chosen(4, clients(9)));
  CHECK_THROWS_WITH(nearest(1, 0), "expected a fraction above 0 and at most 1, found 0");
}

TEST_CASE("In a random subset every candidate, and every pair, is as likely as any other") {
  constexpr std::size_t n = 10, m = 3;
  constexpr int rounds = 20'000;
  const Agents candidates = clients(n);
  const auto subset = RandomSubset::of_size(5, m);
  std::vector<std::vector<int>> together(n + 1, std::vector<int>(n + 1));
  for (Round r = 1; r <= rounds; ++r) {
    const Agents members = subset.chosen(r, candidates);
    for (const AgentId a : members)
      for (const AgentId b : members) ++together[a][b];
  }
  // A count over independent rounds is binomial; five standard deviations. Alone m/n = 0.3, a pair
  // m (m - 1) / (n (n - 1)) = 1/15.
  for (AgentId a = 1; a <= n; ++a)
    for (AgentId b = 1; b <= n; ++b) {
      const double p = a == b ? 0.3 : 1.0 / 15;
      INFO(a << " with " << b);
      CHECK(std::abs(together[a][b] - p * rounds) < 5 * std::sqrt(p * (1 - p) * rounds));
    }
}

TEST_CASE("A smaller random subset is a part of a larger one of the same round") {
  const Agents candidates = clients(50);
  for (Round r = 1; r <= 30; ++r) {
    const Agents many = RandomSubset::of_size(1, 20).chosen(r, candidates);
    CHECK(std::ranges::includes(many, RandomSubset::of_size(1, 8).chosen(r, candidates)));
  }
}

TEST_CASE("The cohort is a function of seed and round, not of earlier calls") {
  const Agents candidates = clients(30);
  const auto subset = RandomSubset::of_size(1, 5);
  const IndependentParticipation independent(1, 0.3);
  std::vector<Agents> there, back;
  for (Round r = 1; r <= 40; ++r) {
    there.push_back(subset.chosen(r, candidates));
    there.push_back(independent.chosen(r, candidates));
  }
  for (Round r = 40; r >= 1; --r) {
    back.push_back(IndependentParticipation(1, 0.3).chosen(r, candidates));
    back.push_back(RandomSubset::of_size(1, 5).chosen(r, candidates));
  }
  std::ranges::reverse(back);
  CHECK(there == back);
  CHECK(there[0] != there[2]);
  CHECK(there[0] != RandomSubset::of_size(2, 5).chosen(1, candidates));
}

TEST_CASE("Independent clients take part with their probability, regardless of the others") {
  constexpr std::size_t n = 200;
  constexpr int rounds = 500;
  constexpr double p = 0.2;
  const Agents all = clients(n), some{3, 50, 120};
  const IndependentParticipation independent(9, p);
  std::vector<int> counts(n + 1);
  for (Round r = 1; r <= rounds; ++r) {
    const Agents members = independent.chosen(r, all);
    REQUIRE(is_part_of(members, all));
    for (const AgentId a : members) ++counts[a];
    const Agents few = independent.chosen(r, some);
    REQUIRE(!few.empty());
    if (few.size() > 1) CHECK(std::ranges::includes(members, few));
  }
  // The fallback for an empty draw, of probability 0.8^200 = 4e-20, plays no part. Five deviations of a binomial count.
  for (AgentId a = 1; a <= n; ++a) CHECK(std::abs(counts[a] - p * rounds) < 5 * std::sqrt(p * (1 - p) * rounds));
}

TEST_CASE("A subset larger than the candidates is reported beforehand") {
  CHECK(RandomSubset::of_size(1, 4).diagnostics(clients(4)).empty());
  CHECK(RandomSubset::of_fraction(1, 1).diagnostics(clients(4)).empty());
  CHECK(sentences(RandomSubset::of_size(1, 5).diagnostics(clients(4))) ==
        "size: expected at most 4, the number of candidates, found 5");
}

TEST_CASE("If no client is drawn, one takes part, each equally often") {
  constexpr int rounds = 8000;
  const Agents all = clients(4);
  const IndependentParticipation rare(1, 1e-12);
  std::vector<int> counts(5);
  for (Round r = 1; r <= rounds; ++r) {
    const Agents members = rare.chosen(r, all);
    REQUIRE(members.size() == 1);
    ++counts[members[0]];
  }
  // Binomial with p = 1/4, five deviations.
  for (AgentId a = 1; a <= 4; ++a) CHECK(std::abs(counts[a] - rounds / 4.0) < 5 * std::sqrt(rounds * 3.0 / 16));
  CHECK(rare.chosen(1, Agents{}).empty());
  CHECK(IndependentParticipation(1, 1).chosen(1, all) == all);
  CHECK_THROWS_AS(IndependentParticipation(1, 0), std::invalid_argument);
}

TEST_CASE("If empty rounds are allowed, cohorts are those of independent participation") {
  const Agents three = clients(3);
  const IndependentParticipation maybe(7, 0.2, true), somebody(7, 0.2);
  std::size_t empty = 0;
  for (Round r = 1; r <= 200; ++r) {
    const Agents members = maybe.chosen(r, three);
    if (members.empty())
      ++empty;
    else
      CHECK(members == somebody.chosen(r, three));
  }
  // 200 draws of probability 0.8^3 = 0.512: six standard deviations of 7.1 around 102.
  CHECK(empty > 60);
  CHECK(empty < 145);
  CHECK_THROWS_WITH(IndependentParticipation(1, 1.5, true), "expected a probability above 0 and at most 1, found 1.5");
}

TEST_CASE("Cyclic sets take turns and cover everybody once in a cycle") {
  const CyclicParticipation cyclic(3);
  CHECK(cyclic.chosen(1, clients(7)) == Agents{1, 4, 7});
  CHECK(cyclic.chosen(2, clients(7)) == Agents{2, 5});
  CHECK(cyclic.chosen(3, clients(7)) == Agents{3, 6});
  CHECK(cyclic.chosen(4, clients(7)) == cyclic.chosen(1, clients(7)));
  CHECK(cyclic.diagnostics(clients(3)).empty());
  CHECK(sentences(cyclic.diagnostics(clients(2))) == "groups: expected at most 2, the number of candidates, found 3");
  CHECK_THROWS_AS(CyclicParticipation(0), std::invalid_argument);
  CHECK_THROWS_AS(cyclic.chosen(0, clients(3)), InternalError);
}

TEST_CASE("Contiguous sets take turns and must have one size") {
  const CyclicParticipation three(3, ClientSets::contiguous);
  CHECK(three.chosen(1, clients(6)) == Agents{1, 2});
  CHECK(three.chosen(2, clients(6)) == Agents{3, 4});
  CHECK(three.chosen(3, clients(6)) == Agents{5, 6});
  CHECK(three.chosen(4, clients(6)) == three.chosen(1, clients(6)));
  CHECK(three.diagnostics(clients(6)).empty());
  const CyclicParticipation four(4, ClientSets::contiguous);
  CHECK(sentences(four.diagnostics(clients(6))) ==
        "groups: expected a divisor of 6, the number of candidates, for contiguous sets, found 4");
  CHECK_THROWS_AS(four.chosen(1, clients(6)), InternalError);
  CHECK_THROWS_WITH(CyclicParticipation(1, ClientSets::contiguous), "expected at least 2 contiguous groups, found 1");
}

TEST_CASE("Listed rounds are repeated, and unknown agents in them reported beforehand") {
  const ListedParticipation listed({{3, 1}, {2}});
  CHECK(listed.chosen(1, clients(3)) == Agents{1, 3});
  CHECK(listed.chosen(2, clients(3)) == Agents{2});
  CHECK(listed.chosen(3, clients(3)) == Agents{1, 3});
  CHECK(listed.diagnostics(clients(3)).empty());
  CHECK(sentences(listed.diagnostics(clients(2))) == "rounds/0: expected agents that can be asked, found 3");
  CHECK_THROWS_AS(listed.chosen(1, clients(2)), InternalError);
  CHECK_THROWS_AS(ListedParticipation({}), std::invalid_argument);
  CHECK_THROWS_AS(ListedParticipation({{1}, {}}), std::invalid_argument);
  CHECK_THROWS_WITH(ListedParticipation({{2, 1, 2}}), "expected one agent or more, each once, found [1, 2, 2]");
}

TEST_CASE("A round is closed by its rule, with all answers unless said otherwise") {
  const Time now = Time::nanoseconds(100);
  const Cohort plain = RoundRule().cohort(clients(5), now);
  CHECK(plain.members == clients(5));
  CHECK(plain.enough == 5);
  CHECK(plain.deadline == Time::never());
  const RoundRule rule{.deadline = Duration::nanoseconds(30), .enough = 3};
  CHECK(rule.cohort(clients(5), now).enough == 3);
  CHECK(rule.cohort(clients(5), now).deadline == Time::nanoseconds(130));
  CHECK(rule.cohort(clients(2), now).enough == 2);
  CHECK(RoundRule{.deadline = Duration::nanoseconds(Time::never().ns()), .enough = {}}.cohort({}, now).deadline ==
        Time::never());
}

}  // namespace lagnet::participation_test
