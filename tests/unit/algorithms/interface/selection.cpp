#include "algorithms/interface/selection.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "sim/base/draws.hpp"

namespace lagnet::selection_test {

TEST_CASE("places are drawn by weights, one after the other") {
  std::vector<double> given{0.55, 0.5};  // of 0.1, 0.5, 0.4 the second; of 0.1, 0.4 that are left the last
  std::size_t next = 0;
  CHECK(drawn_by_weight({0.1, 0.5, 0.4}, 2, [&] { return given[next++]; }) == std::vector<std::size_t>{1, 2});
  CHECK(drawn_by_weight({1, 1}, 5, [] { return 0.3; }) == std::vector<std::size_t>{0, 1});
  CHECK(drawn_by_weight({0, 1, 0}, 1, [] { return 1e-9; }) == std::vector<std::size_t>{1});
  Draws draws(1, Purpose{"test"});
  std::map<std::size_t, int> times;
  constexpr int many = 20'000;
  for (int i = 0; i < many; ++i) ++times[drawn_by_weight({1, 2, 7}, 1, [&] { return draws.uniform(); }).front()];
  // Standard deviations are at most sqrt(many / 4) = 71.
  CHECK(std::abs(times[0] - 0.1 * many) < 300);
  CHECK(std::abs(times[2] - 0.7 * many) < 300);
}

TEST_CASE("tiers are runs of clients by their times, the first ones longer") {
  const double never = std::numeric_limits<double>::infinity();
  CHECK(tiers_of({{3, 1}, {1, 2}, {never, 3}, {1, 4}, {2, 5}}, 2) ==
        std::vector<std::vector<AgentId>>{{2, 4, 5}, {1, 3}});
  CHECK(tiers_of({{1, 3}, {1, 1}, {1, 2}}, 3) == std::vector<std::vector<AgentId>>{{1}, {2}, {3}});
}

TEST_CASE("oort chooses new clients while there are some, and no more than it is asked for") {
  const OortOptions options{.size = 4};
  const Uniforms middle = [] { return 0.5; };
  const std::vector<OortRecord> nobody;
  const OortChoice first = oort_choice(options, 1, nobody, {{1, 2, 3, 4, 5}, {1, 1, 1, 1, 1}}, middle);
  CHECK(first.explored.size() == 4);
  CHECK(first.exploited.empty());
  const std::vector<OortRecord> known{{1, 5, 1, 3}, {2, 4, 1, 3}, {3, 3, 2, 3}};
  const OortChoice all = oort_choice(options, 9, known, {}, middle);
  CHECK(all.epsilon == 0);
  CHECK(all.exploited == std::vector<AgentId>{1, 2, 3});
  const OortChoice mixed = oort_choice(options, 200, known, {{4, 5}, {1, 1}}, middle);  // eps 0.2: floor(3.2) = 3
  CHECK(mixed.exploited.size() == 3);
  CHECK(mixed.explored.size() == 1);
}

}  // namespace lagnet::selection_test
