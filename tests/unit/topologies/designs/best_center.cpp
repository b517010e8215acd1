#include "topologies/designs/best_center.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/topologies/designs/random_delays.hpp"
#include "topologies/generators/elementary.hpp"

namespace lagnet::best_center_test {

namespace {

double longest_link(const Delays& delays, AgentId center) {
  StarOptions star;
  star.agents = delays.agents();
  star.center = center;
  return link_lengths(delays, make_topology(star, 1)).longest_s;
}

}  // namespace

TEST_CASE("no star has a shorter longest link than that of the best center") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Delays delays = drawn_delays(9, seed);
    const AgentId best = best_center(delays);
    for (AgentId center = 0; center < 9; ++center) CHECK(longest_link(delays, best) <= longest_link(delays, center));
  }
}

TEST_CASE("of several centers the lowest is the best") {
  CHECK(best_center(equal_delays(4)) == 0);
  CHECK(best_center(equal_delays(1)) == 0);
  Matrix line(4, 4);
  line << 0, 1, 2, 3, 1, 0, 1, 2, 2, 1, 0, 1, 3, 2, 1, 0;
  CHECK(best_center(Delays(line)) == 1);
}

}  // namespace lagnet::best_center_test
