#include "sim/base/gilbert_chain.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/base/errors.hpp"

namespace lagnet::round_chain_test {

namespace {

constexpr Purpose fading{"fading"};

std::vector<bool> walk(const GilbertChain& chain, AgentId agent, Round rounds, std::uint64_t seed = 1) {
  std::vector<bool> bad;
  RoundChainState state;
  for (Round t = 0; t < rounds; ++t) bad.push_back(chain.is_bad(seed, fading, agent, t, state));
  return bad;
}

}  // namespace

TEST_CASE("A round of a chain is bad if its draw is below the probability that follows from the round before") {
  const GilbertChain chain(0.3, 0.2);
  for (AgentId agent = 0; agent < 20; ++agent) {
    RoundChainState state;
    bool bad = Draws(5, fading, agent, 0).uniform() < 0.3 / (0.3 + 0.2);
    CHECK(chain.is_bad(5, fading, agent, 0, state) == bad);
    for (Round t = 1; t < 20; ++t) {
      bad = Draws(5, fading, agent, t).uniform() < (bad ? 1 - 0.2 : 0.3);
      CHECK(chain.is_bad(5, fading, agent, t, state) == bad);
    }
  }
}

TEST_CASE("A chain answers the same whatever rounds it was asked for before") {
  const GilbertChain chain(0.2, 0.4);
  const std::vector<bool> in_order = walk(chain, 3, 50);
  RoundChainState state;
  for (const Round t : {49, 0, 7, 7, 30, 29, 1})
    CHECK(chain.is_bad(1, fading, 3, t, state) == in_order[static_cast<std::size_t>(t)]);
}

TEST_CASE("In round 0 and later the share of bad rounds is enter over enter plus leave") {
  const GilbertChain chain(0.1, 0.3);
  constexpr AgentId agents = 4000;
  std::vector<RoundChainState> states(agents);
  for (const Round t : {0, 1, 25}) {
    int bad = 0;
    for (AgentId a = 0; a < agents; ++a) bad += chain.is_bad(1, fading, a, t, states[a]);
    // Agents are independent: five standard deviations of a binomial count with p = 1/4.
    CHECK(std::abs(bad - 0.25 * agents) < 5 * std::sqrt(0.25 * 0.75 * agents));
  }
}

TEST_CASE("Bad spells last a geometric number of rounds with mean one over leave") {
  const GilbertChain chain(0.2, 0.25);
  constexpr Round rounds = 40'000;
  const std::vector<bool> bad = walk(chain, 0, rounds);
  int spells = 0, alone = 0, bad_rounds = 0;
  for (std::size_t t = 1; t + 1 < bad.size(); ++t) {
    bad_rounds += bad[t];
    const bool begins = bad[t] && !bad[t - 1];
    spells += begins;
    alone += begins && !bad[t + 1];
  }
  REQUIRE(spells > 1000);
  // A spell's length has mean 4 and variance (1 - 1/4) / (1/4)^2 = 12, and is 1 with probability 1/4. Bounds are five
  // standard deviations; the two spells that the ends may cut are far below them.
  CHECK(std::abs(static_cast<double>(bad_rounds) / spells - 4) < 5 * std::sqrt(12.0 / spells));
  CHECK(std::abs(static_cast<double>(alone) / spells - 0.25) < 5 * std::sqrt(0.25 * 0.75 / spells));
}

TEST_CASE("Without an exit a chain starts good except for the draw of round 0, and stays bad") {
  const GilbertChain chain(0.1, 0);
  int bad_at_start = 0;
  for (AgentId a = 0; a < 200; ++a) {
    const std::vector<bool> bad = walk(chain, a, 60);
    bad_at_start += bad[0];
    for (std::size_t t = 1; t < bad.size(); ++t) CHECK((bad[t] || !bad[t - 1]));
  }
  CHECK((bad_at_start > 0 && bad_at_start < 60));  // binomial of 200 and 0.1: mean 20, 60 is nine deviations off
}

TEST_CASE("Probabilities of 0 and 1 leave nothing to chance") {
  CHECK(walk(GilbertChain(0, 0.5), 0, 50) == std::vector<bool>(50, false));
  CHECK(walk(GilbertChain(0, 0), 0, 50) == std::vector<bool>(50, false));
  CHECK(walk(GilbertChain(1, 0), 0, 50) == std::vector<bool>(50, true));
  const std::vector<bool> turns = walk(GilbertChain(1, 1), 0, 50);
  for (std::size_t t = 1; t < turns.size(); ++t) CHECK(turns[t] != turns[t - 1]);
}

TEST_CASE("Pairs have chains of their own, each direction another, that do not depend on the order of asking") {
  const GilbertChain chain(0.5, 0.5);
  const auto pair = [&](AgentId from, AgentId to) {
    std::vector<bool> bad;
    RoundChainState state;
    for (Round t = 0; t < 64; ++t) bad.push_back(chain.is_bad(1, fading, from, to, t, state));
    return bad;
  };
  CHECK(pair(1, 2) == pair(1, 2));
  CHECK(pair(1, 2) != pair(2, 1));
  CHECK(pair(1, 2) != pair(1, 3));
  CHECK(pair(1, 2) != walk(chain, 1, 64));
  RoundChainState late;
  CHECK(chain.is_bad(1, fading, 1, 2, 63, late) == pair(1, 2)[63]);
}

TEST_CASE("A chain refuses invalid probabilities, and rounds before the start") {
  CHECK_THROWS_WITH(GilbertChain(1.5, 0.5), "expected probabilities from 0 to 1, found 1.5 to enter and 0.5 to leave");
  CHECK_THROWS_AS(GilbertChain(0.5, -0.1), std::invalid_argument);
  CHECK_THROWS_AS(GilbertChain(std::numeric_limits<double>::quiet_NaN(), 0), std::invalid_argument);
  RoundChainState state;
  CHECK_THROWS_AS(GilbertChain(0.5, 0.5).is_bad(1, fading, 0, -1, state), InternalError);
}

}  // namespace lagnet::round_chain_test
