#include "sim/transport/link_queue.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/sim/world.hpp"

namespace lagnet::link_queue_test {

using test::at;
using test::span;

TEST_CASE("messages leave a queue one after the other, each after its own time") {
  LinkQueue queue(1e9);  // a byte takes a nanosecond
  CHECK(queue.alone(300) == span(300));
  CHECK(queue.leaves(at(100), 300) == at(400));
  CHECK(queue.leaves(at(150), 50) == at(450));  // waits until 400
  CHECK(queue.leaves(at(450), 50) == at(500));  // comes when the one before is through
  CHECK(queue.leaves(at(900), 0) == at(900));   // has its turn though it takes no time
}

TEST_CASE("nothing waits in a queue without limit, and nothing leaves after the end of time") {
  LinkQueue unlimited(std::numeric_limits<double>::infinity());
  CHECK(!unlimited.is_limited());
  CHECK(unlimited.leaves(at(7), 1'000'000) == at(7));
  LinkQueue slow(1e-300);
  CHECK(slow.is_limited());
  CHECK(slow.leaves(at(7), 1) == Time::never());
  CHECK(slow.leaves(at(8), 1) == Time::never());
}

TEST_CASE("a message passes the sender's interface before the link") {
  // 100 bytes take 100 ns through the interface of agent 0, 200 ns over a link, 400 ns into agent 1.
  std::vector<LinkSpec> links;
  for (AgentId to = 1; to <= 2; ++to) test::join(links, 0, to, 10, 0.5e9);
  const Network network(3, links, {{1e9, 1e9}, {1e9, 0.25e9}, {1e9, 1e9}});
  LinkQueues queues(network);
  CHECK(queues.leaves(0, network.find(0, 1), at(0), 100) == at(300));
  CHECK(queues.leaves(0, network.find(0, 2), at(0), 100) == at(400));  // the interface is free at 100
  CHECK(queues.leaves(0, network.find(0, 1), at(0), 100) == at(500));  // the link is free at 300
  CHECK(queues.alone(0, network.find(0, 1), 1, 100) == span(700));
  CHECK(queues.entry(1).leaves(at(1000), 100) == at(1400));
}

}  // namespace lagnet::link_queue_test
