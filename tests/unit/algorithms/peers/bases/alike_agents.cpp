#include "algorithms/peers/bases/alike_agents.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "algorithms/peers/dgd.hpp"
#include "algorithms/peers/nids.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::alike_agents_test {

using namespace lagnet::test;

TEST_CASE("the mean is over the agents' first parts, and so are the mean of squared distances and its root") {
  const std::vector<std::vector<Vector>> report{{Vector{{1, 0}}, Vector{{9}}}, {Vector{{3, 2}}}, {Vector{{2, 4}}}};
  CHECK(mean_of(report) == Vector{{2, 2}});
  CHECK(mean_square_distance(report, Vector{{2, 2}}) == (5 + 1 + 4) / 3.0);
  CHECK(root_mean_square_distance(report, Vector{{2, 2}}) == std::sqrt((5 + 1 + 4) / 3.0));
}

TEST_CASE("peers remark on messages that were missing and on lost states, with their numbers and the cure") {
  const PeerBench bench = ring_bench(1);
  const Nids nids(NidsOptions{{.step = 0.1}}, bench.assignment());
  CHECK(nids.remarks({}).empty());
  const std::string why =
      "sums over all agents that the method keeps are no longer exact, so the limit need not be a minimizer of F";
  CHECK(texts_of(nids.remarks({.missing = 12, .restarts = 2})) ==
        std::vector<std::string>{"12 messages of neighbors were missing: " + why +
                                     "; with network.retransmit, and participation.missing_neighbor wait, none is",
                                 "crashes took an agent's state 2 times, and it began again from its start: " + why +
                                     "; crashes with \"state\": \"kept\" leave it"});
  // dgd keeps no sums: it has the same limit from any start.
  CHECK(Dgd(DgdOptions{{.step = 0.1}}, bench.assignment()).remarks({.restarts = 2}).empty());
}

}  // namespace lagnet::alike_agents_test
