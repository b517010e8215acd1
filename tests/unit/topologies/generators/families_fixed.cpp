#include "topologies/generators/families.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"

namespace lagnet::families_fixed_test {

TEMPLATE_TEST_CASE("every fixed family has a graph of one agent and one of two, and none of no agents", "",
                   CompleteOptions, StarOptions, RingOptions, PathOptions, BinaryTreeOptions, ExponentialOptions,
                   HypercubeOptions) {
  CHECK(with_agents<TestType>(1).connected());
  CHECK(edge_count(with_agents<TestType>(1)) == 0);
  CHECK(edges_of(with_agents<TestType>(2)) == std::vector<Edge>{{0, 1}});
  CHECK(said([] { with_agents<TestType>(0); }) ==
        fmt::format("{}.agents: expected at least 1, found 0", TestType::kind));
}

}  // namespace lagnet::families_fixed_test
