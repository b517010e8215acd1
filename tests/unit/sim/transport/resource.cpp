#include "sim/transport/resource.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/sim/world.hpp"

namespace lagnet::resource_test {

using test::at;

TEST_CASE("whole messages leave a resource one after the other, each after its own time") {
  Resource resource(1e9);  // a byte takes a nanosecond
  CHECK(resource.leaves(at(0), 300) == at(300));
  CHECK(resource.leaves_whole(at(100), 300) == at(400));
  CHECK(resource.leaves_whole(at(150), 50) == at(450));  // waits until 400
  CHECK(resource.leaves_whole(at(450), 50) == at(500));  // comes when the one before is through
  CHECK(resource.leaves_whole(at(900), 0) == at(900));   // has its turn though it takes no time
}

TEST_CASE("nothing waits where there is no limit, and nothing leaves after the end of time") {
  Resource unlimited(std::numeric_limits<double>::infinity());
  CHECK(!unlimited.is_limited());
  CHECK(unlimited.leaves_whole(at(7), 1'000'000) == at(7));
  Resource slow(1e-300);
  CHECK(slow.is_limited());
  CHECK(slow.leaves_whole(at(7), 1) == Time::never());
  CHECK(slow.leaves_whole(at(8), 1) == Time::never());
}

TEST_CASE("slow senders share a fast resource: the last bit waits for work, not for bits that are still to come") {
  // Two messages of 100 bytes take 200 ns to come each, and 100 ns to leave.
  Resource resource(1e9);
  Backlog backlog;
  const Passage in{at(0), at(200)};
  CHECK(backlog.first_leaves(resource, in, 100) == at(0));
  CHECK(resource.last_leaves(in, 100) == at(200));
  CHECK(backlog.first_leaves(resource, in, 100) == at(0));
  CHECK(resource.last_leaves(in, 100) == at(200));
  // A third one, whole, finds at 100 that as much has left as has come: it leaves from 100 on, and has work before it.
  CHECK(backlog.first_leaves(resource, {at(100), at(100)}, 100) == at(100));
  CHECK(resource.last_leaves({at(100), at(100)}, 100) == at(300));
  // At 200 these 100 bytes still wait, since the other two took the whole rate.
  CHECK(backlog.first_leaves(resource, {at(200), at(200)}, 1) == at(300));
  CHECK(resource.last_leaves({at(200), at(200)}, 1) == at(301));
}

}  // namespace lagnet::resource_test
