#include "topologies/generators/random_regular.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet::random_regular_test {

TEST_CASE("all agents of a random regular graph have the degree, up to the complete graph") {
  for (const auto& [agents, degree] :
       {std::pair(10, 2), {10, 3}, {11, 4}, {30, 7}, {12, 9}, {12, 10}, {12, 11}, {5, 4}}) {
    INFO(agents << " agents of degree " << degree);
    const Topology topology = make_topology(regular(agents, degree), 2);
    CHECK(degree_statistics(topology).min == degree);
    CHECK(topology.max_degree() == degree);
  }
}

TEST_CASE("random regular graphs show each possible graph about equally often") {
  // Of the 70 labeled cubic graphs on 6 agents, 10 are K_33 and 60 are prisms; all are connected. Only K_33 has no
  // triangle.
  constexpr int draws = 1400;
  int without_triangle = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    const Topology topology = make_topology(regular(6, 3), seed);
    const Matrix adjacency = 3 * Matrix::Identity(6, 6) - dense_laplacian(topology);
    without_triangle += (adjacency * adjacency * adjacency).trace() < 0.5;
  }
  const double p = 1.0 / 7;  // within 4 standard deviations of a binomial count
  CHECK(std::abs(without_triangle - draws * p) < 4 * std::sqrt(draws * p * (1 - p)));
}

}  // namespace lagnet::random_regular_test
