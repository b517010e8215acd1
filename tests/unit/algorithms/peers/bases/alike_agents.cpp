#include "algorithms/peers/bases/alike_agents.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace lagnet::alike_agents_test {

TEST_CASE("the mean is over the agents' first parts, and so is the mean of squared distances") {
  const std::vector<std::vector<Vector>> report{{Vector{{1, 0}}, Vector{{9}}}, {Vector{{3, 2}}}, {Vector{{2, 4}}}};
  CHECK(mean_of(report) == Vector{{2, 2}});
  CHECK(mean_square_distance(report, Vector{{2, 2}}) == (5 + 1 + 4) / 3.0);
}

}  // namespace lagnet::alike_agents_test
