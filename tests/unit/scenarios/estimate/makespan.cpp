#include "scenarios/estimate/makespan.hpp"

#include <catch2/catch.hpp>

namespace lagnet::makespan_test {

TEST_CASE("points take the next free job, in their order") {
  const std::vector<MemoryNeed> needs(3);
  CHECK(makespan({3, 2, 2}, needs, {.jobs = 1}) == 7);
  CHECK(makespan({3, 2, 2}, needs, {.jobs = 2}) == 4);  // the third one begins at 2
  CHECK(makespan({3, 2, 2}, needs, {.jobs = 3}) == 3);
  CHECK(makespan({}, {}, {.jobs = 2}) == 0);
}

TEST_CASE("points that do not fit beside each other run one after the other") {
  CHECK(makespan({3, 2, 2}, std::vector<MemoryNeed>(3, {.own = 6}), {.jobs = 3, .memory = 10}) == 7);
  CHECK(makespan({3, 2, 2}, std::vector<MemoryNeed>(3, {.own = 1, .shared = 6}), {.jobs = 3, .memory = 9}) == 3);
}

}  // namespace lagnet::makespan_test
