#include "topologies/designs/delays.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/topologies/designs/random_delays.hpp"
#include "tests/unit/topologies/said.hpp"

namespace lagnet::delays_test {

TEST_CASE("the delay of a link is the mean of its directions, for any diagonal") {
  Matrix seconds(2, 2);
  seconds << std::numeric_limits<double>::quiet_NaN(), 1, 3, -5;
  const Delays delays(seconds);
  CHECK(delays.agents() == 2);
  CHECK(delays.between(0, 1) == 2);
  CHECK(delays.between(1, 0) == 2);
  CHECK(delays.between(1, 1) == 0);
}

TEST_CASE("reports every invalid delay") {
  CHECK(said([] { Delays{Matrix(2, 3)}; }) == "delays: expected a square matrix, found 2 x 3");
  CHECK(said([] { Delays{Matrix(0, 0)}; }) == "delays: expected a square matrix, found 0 x 0");
  Matrix seconds = Matrix::Zero(3, 3);
  seconds(0, 2) = -1;
  seconds(1, 0) = std::numeric_limits<double>::infinity();
  CHECK(said([&] { Delays{seconds}; }) ==
        "delay (0, 2): expected finite and at least 0 s, found -1\n"
        "delay (1, 0): expected finite and at least 0 s, found inf");
}

TEST_CASE("pairs ascend by their delays, and those of equal delay by their agents") {
  using Pairs = std::vector<std::pair<AgentId, AgentId>>;
  CHECK(equal_delays(3).ascending_pairs() == Pairs{{0, 1}, {0, 2}, {1, 2}});
  Matrix seconds(3, 3);
  seconds << 0, 3, 2, 3, 0, 2, 2, 2, 0;
  CHECK(Delays(seconds).ascending_pairs() == Pairs{{0, 2}, {1, 2}, {0, 1}});
}

TEST_CASE("links are longer by the longest one first, and then by all of them") {
  Matrix seconds(3, 3);
  seconds << 0, 3, 1, 3, 0, 2, 1, 2, 0;
  const Delays delays(seconds);
  const LinkLengths path = link_lengths(delays, Topology(3, {{0, 1}, {0, 2}}));
  CHECK(path == LinkLengths{3, 4});
  CHECK(link_lengths(delays, Topology(3, {{0, 2}, {1, 2}})) < path);
  CHECK(path < link_lengths(delays, Topology(3, {{0, 1}, {1, 2}})));
  CHECK(link_lengths(delays, Topology(3, {})) == LinkLengths{0, 0});
}

}  // namespace lagnet::delays_test
