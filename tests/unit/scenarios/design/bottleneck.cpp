#include "scenarios/design/bottleneck.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/scenarios/assembly/made_network.hpp"

namespace lagnet::bottleneck_test {

using test::made;

TEST_CASE("links that are alike and interfaces without a limit leave no bottleneck") {
  CHECK_FALSE(bottleneck(made("{}")));
  CHECK_FALSE(bottleneck(made(R"({"bandwidth_bytes_per_s": null})")));
}

// Three agents, each a neighbor of both others.
TEST_CASE("the bottleneck of an exchange is the resource that needs longest for its messages") {
  const auto slow = bottleneck(made(R"({"links": [{"links": [[0, 1]], "bandwidth_bytes_per_s": 1e6}]})"));
  REQUIRE(slow);
  CHECK(slow->messages == 1);
  CHECK(slow->s_per_byte == 1e-6);
  CHECK(slow->others == 1);  // the other direction
  const Network network = made(R"({"bandwidth_bytes_per_s": null, "up_bytes_per_s": 4e6, "down_bytes_per_s": 1e6})");
  const auto shared = bottleneck(network);
  REQUIRE(shared);
  CHECK(shared->resource == network.down(0));
  CHECK(shared->messages == 2);
  CHECK(shared->bytes_per_s == 1e6);
  CHECK(shared->s_per_byte == 2e-6);
  CHECK(shared->others == 2);
}

TEST_CASE("messages of many links add up on an inner link") {
  const Network network = made(R"({"underlay": {"nodes": ["a", "b"], "agents": ["a", "b", "b"],
    "links": [{"ends": ["a", "b"], "bandwidth_bytes_per_s": 5e5, "name": "wan"}]}})");
  const auto found = bottleneck(network);
  REQUIRE(found);
  CHECK(network.inner_name(found->resource) == "wan a -> b");
  CHECK(found->messages == 2);
  CHECK(found->s_per_byte == 4e-6);
}

TEST_CASE("a medium counts a broadcast that all hear once, at the rate of the slowest") {
  const auto of_cell = [](const std::string& more) {
    return bottleneck(made(R"({"media": [{"name": "cell", "bandwidth_bytes_per_s": 1e6)" + more +
                           R"(}], "links": [{"links": [[0, 1]], "bandwidth_bytes_per_s": 5e5}]})"));
  };
  REQUIRE(of_cell(""));
  CHECK(of_cell("")->messages == 6);
  CHECK(of_cell("")->s_per_byte == Approx(4 * 1e-6 + 2 * 2e-6).epsilon(1e-12));
  const auto once = of_cell(R"(, "broadcast_once": true)");
  REQUIRE(once);
  CHECK(once->messages == 3);
  CHECK(once->s_per_byte == Approx(2 * 2e-6 + 1e-6).epsilon(1e-12));
  CHECK(of_cell(R"(, "relay": true)")->messages == 12);
}

TEST_CASE("a bandwidth that changes counts as at the beginning, or as what comes after 0") {
  const auto found = bottleneck(made(R"({"links": [{"links": [[0, 1]], "both_ways": false, "bandwidth_bytes_per_s":
    {"kind": "schedule", "at_s": [0, 1, 2], "values": [0, 1e6, 5e6]}}]})"));
  REQUIRE(found);
  CHECK(found->bytes_per_s == 1e6);
  const Network network = made(R"({"bandwidth_bytes_per_s": null, "interfaces": [{"agents": [0], "up_bytes_per_s":
    {"kind": "schedule", "at_s": [0, 1, 2], "values": [0, 0, 2e6], "repeat_after_s": 3}}]})");
  const auto interface = bottleneck(network);
  REQUIRE(interface);
  CHECK(interface->resource == network.up(0));
  CHECK(interface->bytes_per_s == 2e6);
  CHECK(interface->s_per_byte == 1e-6);  // of two messages
}

}  // namespace lagnet::bottleneck_test
