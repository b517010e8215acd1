#include "topologies/routes.hpp"

#include <catch2/catch.hpp>

namespace lagnet::routes_test {

namespace {
using Nodes = std::vector<std::uint32_t>;
Duration ms(std::int64_t value) { return Duration::nanoseconds(value * 1'000'000); }
}  // namespace

TEST_CASE("a route has the least latency, then the fewest links, then the first nodes") {
  // 0 -> 3 over 1 or 2 takes 2 ms, over 1 and 4 as long; 5 is reached over 3 alone, and does not lead back.
  const std::vector<Arc> arcs{{0, 2, ms(1)}, {2, 3, ms(1)}, {0, 1, ms(1)}, {1, 3, ms(1)},
                              {1, 4, ms(0)}, {4, 3, ms(1)}, {3, 5, ms(9)}, {0, 3, ms(3)}};
  const auto routes = shortest_routes(7, arcs, 0);
  CHECK(routes[0] == Nodes{0});
  CHECK(routes[3] == Nodes{0, 1, 3});
  CHECK(routes[4] == Nodes{0, 1, 4});
  CHECK(routes[5] == Nodes{0, 1, 3, 5});
  CHECK(!routes[6]);
  CHECK(!shortest_routes(7, arcs, 5)[0]);
}

}  // namespace lagnet::routes_test
