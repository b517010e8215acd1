#include "sim/base/draws.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "sim/base/errors.hpp"

namespace lagnet::draws_test {

namespace {

constexpr Purpose noise{"noise"};

std::vector<std::uint64_t> first_bits(Draws draws, int count = 5) {
  std::vector<std::uint64_t> bits;
  for (int i = 0; i < count; ++i) bits.push_back(draws.bits());
  return bits;
}

/// Pearson's statistic of counts that should be equal: mean k-1, variance about 2(k-1) for k cells.
double chi_square(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

/// Five standard deviations around the mean. Too even would be as wrong as too uneven.
void check_uniform(const std::vector<int>& counts, double expected) {
  const double freedom = static_cast<double>(counts.size()) - 1;
  const double statistic = chi_square(counts, expected);
  CHECK(statistic < freedom + 5 * std::sqrt(2 * freedom));
  CHECK(statistic > freedom - 5 * std::sqrt(2 * freedom));
}

}  // namespace

TEST_CASE("Philox4x32-10 gives the answers that Random123 publishes (kat_vectors)") {
  struct Known {
    std::array<std::uint32_t, 4> counter;
    std::array<std::uint32_t, 2> key;
    std::array<std::uint32_t, 4> answer;
  };
  const std::vector<Known> known{
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Known& k : known) {
    const r123::Philox4x32::ctr_type counter{{k.counter[0], k.counter[1], k.counter[2], k.counter[3]}};
    const r123::Philox4x32::key_type key{{k.key[0], k.key[1]}};
    const auto block = r123::Philox4x32{}(counter, key);
    CHECK(std::array{block[0], block[1], block[2], block[3]} == k.answer);
  }
}

TEST_CASE("A sequence is the Philox blocks of (seed, index, purpose, agent, round), two words of 64 bits each") {
  const std::uint64_t seed = 0x0123456789abcdef;
  const r123::Philox4x32::key_type key{{0x89abcdef, 0x01234567}};
  Draws draws(seed, noise, 7, 11);
  for (std::uint32_t index = 0; index < 3; ++index) {
    const r123::Philox4x32::ctr_type counter{{index, noise.id(), 7, 11}};
    const auto block = r123::Philox4x32{}(counter, key);
    CHECK(draws.bits() == (std::uint64_t{block[1]} << 32 | block[0]));
    CHECK(draws.bits() == (std::uint64_t{block[3]} << 32 | block[2]));
  }
}

TEST_CASE("The id of a purpose is the FNV-1a hash of its name") {
  CHECK(Purpose("").id() == 0x811c9dc5);  // the test vectors published with FNV
  CHECK(Purpose("a").id() == 0xe40c292c);
  CHECK(Purpose("foobar").id() == 0xbf9cf968);
}

TEST_CASE("Changing the seed, the purpose, the agent or the round gives other numbers") {
  const auto base = first_bits(Draws(1, noise, 2, 3));
  CHECK(first_bits(Draws(1, noise, 2, 3)) == base);
  std::set<std::vector<std::uint64_t>> all{base};
  all.insert(first_bits(Draws(2, noise, 2, 3)));
  all.insert(first_bits(Draws(1 + (std::uint64_t{1} << 32), noise, 2, 3)));
  all.insert(first_bits(Draws(1, Purpose("other"), 2, 3)));
  all.insert(first_bits(Draws(1, noise, 3, 3)));
  all.insert(first_bits(Draws(1, noise, 2, 4)));
  CHECK(all.size() == 6);
}

TEST_CASE("An agent's draws do not depend on the order of other draws") {
  constexpr AgentId agents = 5;
  constexpr int count = 20;
  std::vector<std::vector<std::uint64_t>> in_turn, interleaved(agents);
  for (AgentId agent = 0; agent < agents; ++agent) in_turn.push_back(first_bits(Draws(1, noise, agent, 9), count));
  std::vector<Draws> open;
  for (AgentId agent = 0; agent < agents; ++agent) open.emplace_back(1, noise, agent, 9);
  for (int i = 0; i < count; ++i)
    for (AgentId agent = agents; agent-- > 0;) interleaved[agent].push_back(open[agent].bits());
  CHECK(interleaved == in_turn);
}

TEST_CASE("A copy of a sequence goes on from where the original stood") {
  Draws original(1, noise);
  original.bits();  // an odd number, so that the copy starts inside a block
  const Draws copy = original;
  CHECK(first_bits(copy) == first_bits(original));
}

TEST_CASE("Uniform numbers lie inside (0, 1) and have the moments of the uniform distribution") {
  constexpr int count = 100'000;
  Draws draws(1, noise);
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) {
    const double u = draws.uniform();
    REQUIRE((u > 0 && u < 1));
    sum += u;
    squares += u * u;
  }
  // Standard deviations of one term: u 1/sqrt(12), u^2 sqrt(1/5 - 1/9). Bounds are five of the mean's.
  CHECK(std::abs(sum / count - 0.5) < 5 * std::sqrt(1.0 / 12 / count));
  CHECK(std::abs(squares / count - 1.0 / 3) < 5 * std::sqrt((1.0 / 5 - 1.0 / 9) / count));
}

TEST_CASE("Uniform numbers of a range stay in it") {
  Draws draws(1, noise);
  for (int i = 0; i < 1000; ++i) {
    const double u = draws.uniform(-3, 5);
    REQUIRE((u > -3 && u < 5));
  }
}

TEST_CASE("Bernoulli draws come true as often as asked") {
  constexpr int count = 100'000;
  Draws draws(1, noise);
  int hits = 0;
  for (int i = 0; i < count; ++i) hits += draws.bernoulli(0.2);
  CHECK(std::abs(hits - 0.2 * count) < 5 * std::sqrt(0.2 * 0.8 * count));  // five standard deviations
  for (int i = 0; i < 100; ++i) {
    REQUIRE_FALSE(draws.bernoulli(0));
    REQUIRE(draws.bernoulli(1));
  }
}

TEST_CASE("normal_quantile agrees with the quantiles computed to 40 digits") {
  struct Known {
    double p, x;
  };
  // Roots of ln Phi(x) = ln p in 60-digit arithmetic, p taken as the double it is; the ends of the three branches of
  // AS 241 (0.075, 0.925, exp(-25) = 1.4e-11) from both sides.
  const std::vector<Known> known{
      {1e-300, -37.047096299361199},     {1e-100, -21.273453560965324}, {1e-20, -9.2623400897984076},
      {1.2e-11, -6.6793526565015224},    {1e-10, -6.3613409024040562},  {0.001, -3.0902323061678135},
      {0.0749, -1.4402382675279637},     {0.075, -1.4395314709384559},  {0.0751, -1.43882539275254},
      {0.25, -0.67448975019608174},      {0.6, 0.25334710313579974},    {0.9249, 1.4388253927525404},
      {0.925, 1.4395314709384562},       {0.9251, 1.4402382675279639},  {0.999999, 4.7534243088170878},
      {1 - 0x1p-53, 8.2095361516013869},
  };
  // AS 241 states about 1e-16 relative; its polynomials of degree 7 add a few roundings of 1.1e-16 each.
  for (const Known& k : known) CHECK(normal_quantile(k.p) == Approx(k.x).epsilon(1e-15).margin(0));
  CHECK(normal_quantile(0.5) == 0);
}

TEST_CASE("normal_quantile is odd about one half") {
  for (const double p : {0x1p-20, 0.0625, 0.25, 0.4375})  // 1 - p is exact
    CHECK(normal_quantile(1 - p) == -normal_quantile(p));
}

TEST_CASE("Normal numbers have the first four moments of the normal distribution") {
  constexpr int count = 100'000;
  Draws draws(1, noise);
  std::array<double, 5> sum{};
  for (int i = 0; i < count; ++i) {
    const double x = draws.normal();
    double power = 1;
    for (std::size_t k = 1; k <= 4; ++k) sum[k] += power *= x;
  }
  // E x^2k = (2k-1)!!, so the variances of x, x^2, x^3, x^4 are 1, 2, 15, 96; bounds are five deviations of the mean.
  CHECK(std::abs(sum[1] / count - 0) < 5 * std::sqrt(1.0 / count));
  CHECK(std::abs(sum[2] / count - 1) < 5 * std::sqrt(2.0 / count));
  CHECK(std::abs(sum[3] / count - 0) < 5 * std::sqrt(15.0 / count));
  CHECK(std::abs(sum[4] / count - 3) < 5 * std::sqrt(96.0 / count));
}

TEST_CASE("Exponential numbers are positive with mean 1 and variance 1") {
  constexpr int count = 100'000;
  Draws draws(1, noise);
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) {
    const double x = draws.exponential();
    REQUIRE(x > 0);
    sum += x;
    squares += x * x;
  }
  // E x^n = n!, so the variances of x and x^2 are 1 and 24 - 4 = 20; bounds are five deviations of the mean.
  CHECK(std::abs(sum / count - 1) < 5 * std::sqrt(1.0 / count));
  CHECK(std::abs(squares / count - 2) < 5 * std::sqrt(20.0 / count));
}

TEST_CASE("below() is uniform for bounds that divide 2^64 and for others") {
  for (const std::uint64_t bound : {2, 3, 7, 16, 100, 1000}) {
    Draws draws(1, noise, static_cast<AgentId>(bound));
    std::vector<int> counts(bound);
    for (std::uint64_t i = 0; i < 200 * bound; ++i) ++counts.at(draws.below(bound));
    check_uniform(counts, 200);
  }
}

TEST_CASE("below() has no bias for a bound near 2^64, where a bare product would favor the lower third") {
  // With bound = 3 * 2^62, a remainder of 64 bits would hit the lowest third of the range twice as often as the others.
  const std::uint64_t third = std::uint64_t{1} << 62;
  Draws draws(1, noise);
  std::vector<int> counts(3);
  for (int i = 0; i < 3000; ++i) ++counts.at(draws.below(3 * third) / third);
  check_uniform(counts, 1000);
}

TEST_CASE("below(1) is 0 and below(0) is refused") {
  Draws draws(1, noise);
  CHECK(draws.below(1) == 0);
  CHECK_THROWS_AS(draws.below(0), InternalError);
}

TEST_CASE("A permutation holds every number once") {
  for (const std::uint32_t count : {0u, 1u, 2u, 17u, 1000u}) {
    auto order = Draws(1, noise, count).permutation(count);
    REQUIRE(order.size() == count);
    std::ranges::sort(order);
    for (std::uint32_t i = 0; i < count; ++i) REQUIRE(order[i] == i);
  }
}

TEST_CASE("In a permutation every number is equally often in every place") {
  constexpr std::uint32_t size = 6;
  constexpr int trials = 6000;
  std::vector<std::vector<int>> counts(size, std::vector<int>(size));
  Draws draws(1, noise);
  for (int t = 0; t < trials; ++t) {
    const auto order = draws.permutation(size);
    for (std::uint32_t place = 0; place < size; ++place) ++counts[place][order[place]];
  }
  for (const auto& row : counts) check_uniform(row, trials / static_cast<double>(size));
}

TEST_CASE("Distinct numbers are distinct, and all choices of two of five, in either order, are equally likely") {
  Draws draws(1, noise);
  std::vector<int> counts(25);
  for (int t = 0; t < 20 * 500; ++t) {
    const auto two = draws.distinct(5, 2);
    REQUIRE(two.size() == 2);
    REQUIRE(two[0] != two[1]);
    ++counts[two[0] * 5 + two[1]];
  }
  std::erase(counts, 0);
  REQUIRE(counts.size() == 20);
  check_uniform(counts, 500);
  CHECK(draws.distinct(3, 0).empty());
  auto all = draws.distinct(40, 40);
  std::ranges::sort(all);
  for (std::uint32_t i = 0; i < 40; ++i) CHECK(all[i] == i);
  CHECK_THROWS_AS(draws.distinct(3, 4), InternalError);
}

TEST_CASE("All orders of a permutation are equally likely") {
  std::vector<int> counts(64);
  Draws draws(1, noise);
  for (int t = 0; t < 24 * 500; ++t) {
    const auto p = draws.permutation(4);
    ++counts[p[0] * 16 + p[1] * 4 + p[2]];  // the last one follows
  }
  std::erase(counts, 0);
  REQUIRE(counts.size() == 24);
  check_uniform(counts, 500);
}

}  // namespace lagnet::draws_test
