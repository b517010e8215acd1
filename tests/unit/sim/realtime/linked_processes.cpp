#include "sim/realtime/linked_processes.hpp"

#include <catch2/catch.hpp>

namespace lagnet::linked_processes_test {

TEST_CASE("processes are linked where links of their agents lead from one to the other, one way or both") {
  const Network network(5, {{.from = 0, .to = 1}, {.from = 1, .to = 2}, {.from = 2, .to = 3}, {.from = 4, .to = 0}}, {},
                        LinkDirections::any);
  CHECK(linked_processes(network, {0, 0, 1, 1, 2}) == std::vector<ProcessPair>{{0, 1}, {0, 2}});
  CHECK(linked_processes(network, {0, 0, 0, 0, 0}).empty());
  const auto all = linked_processes(network, {4, 3, 2, 1, 0});
  CHECK(all == std::vector<ProcessPair>{{0, 4}, {1, 2}, {2, 3}, {3, 4}});
  CHECK(partners_of(3, all) == std::vector<std::uint32_t>{2, 4});
  CHECK(partners_of(9, all).empty());
}

}  // namespace lagnet::linked_processes_test
