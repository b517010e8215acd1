#include "sim/base/round_counts.hpp"

#include <catch2/catch.hpp>

namespace lagnet::round_counts_test {

TEST_CASE("numbers of agents go by rounds, over and over, and drawn ones lie between their limits") {
  auto never = [](std::uint64_t) -> std::uint64_t { throw std::logic_error("drawn"); };
  const RoundCounts one(3);
  CHECK((one.at(0, 1, never) == 3 && one.at(7, 100, never) == 3 && one.most(5) == 3));
  CHECK((!one.entries() && !one.are_drawn()));

  const RoundCounts listed(RoundCounts::Lists{{4, 1, 2}, {5}});
  CHECK(listed.entries() == 2u);
  for (Round t = 1; t <= 9; t += 3)
    CHECK((listed.at(0, t, never) == 4 && listed.at(0, t + 1, never) == 1 && listed.at(0, t + 2, never) == 2));
  CHECK((listed.at(1, 8, never) == 5 && listed.most(0) == 4 && listed.most(1) == 5));

  const RoundCounts drawn{DrawnCounts(UniformCounts{.low = 2, .high = 4})};
  CHECK((drawn.are_drawn() && drawn.most(0) == 4));
  for (const std::uint64_t k : {0u, 1u, 2u}) {
    auto below = [k](std::uint64_t bound) {
      CHECK(bound == 3);
      return k;
    };
    CHECK(drawn.at(0, 1, below) == static_cast<std::int64_t>(2 + k));
  }
}

}  // namespace lagnet::round_counts_test
