#include "topologies/generators/families.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"

namespace lagnet::families_random_test {

namespace {

template <class Options>
void check_depends_on_the_seed_alone(const Options& options) {
  INFO(Options::kind);
  CHECK(edges_of(make_topology(options, 7)) == edges_of(make_topology(options, 7)));
  CHECK_FALSE(edges_of(make_topology(options, 7)) == edges_of(make_topology(options, 8)));
}

}  // namespace

TEST_CASE("a random graph depends on its seed and on nothing else") {
  check_depends_on_the_seed_alone(erdos_renyi(20, 0.3));
  check_depends_on_the_seed_alone(geometric(20, 0.5));
  check_depends_on_the_seed_alone(regular(20, 3));
  check_depends_on_the_seed_alone(small_world(20, 4, 0.3));
  check_depends_on_the_seed_alone(attachment(20, 2));
}

TEST_CASE("random families have graphs of one and two agents where these make sense") {
  CHECK(make_topology(erdos_renyi(1, 0), 1).connected());
  CHECK(make_topology(erdos_renyi(2, 1), 1).connected());
  CHECK(make_topology(geometric(1, 0.1), 1).positions().size() == 1);
  CHECK(make_topology(geometric(2, 1.5), 1).connected());
  CHECK(make_topology(regular(1, 0), 1).connected());
  CHECK(make_topology(regular(2, 1), 1).connected());
  CHECK(make_topology(small_world(1, 0, 0.5), 1).connected());
  CHECK(make_topology(small_world(3, 2, 1), 1).edges().size() == 3);
  CHECK(make_topology(attachment(1, 1), 1).connected());
  CHECK(make_topology(attachment(2, 1), 1).connected());
}

TEST_CASE("the error without a connected draw gives the number of draws and the options to change") {
  CHECK(said([] { make_topology(erdos_renyi(32, 0.01), 1); }) ==
        "expected a topology that can be made, found no connected graph in 100 draws of erdos_renyi with 32 agents and "
        "probability 0.01; raise probability or "
        "attempts");
  RandomGeometricOptions far = geometric(8, 0.001);
  far.attempts = 3;
  CHECK(said([&] { make_topology(far, 1); }) ==
        "expected a topology that can be made, found no connected graph in 3 draws of random_geometric with 8 agents "
        "and radius 0.001; raise radius or attempts");
  CHECK(said([] { make_topology(regular(6, 1), 1); }) ==
        "expected a topology that can be made, found no connected graph in 100 draws of random_regular with 6 agents "
        "and degree 1; raise degree or attempts");
  CHECK(said([] { make_topology(small_world(4, 0, 0.5), 1); }) ==
        "expected a topology that can be made, found no connected graph in 100 draws of watts_strogatz with 4 agents, "
        "degree 0 and rewiring 0.5; raise degree or "
        "attempts");
}

TEST_CASE("options of random families out of range are rejected") {
  CHECK(said([] { make_topology(erdos_renyi(0, 1.5), 1); }) ==
        "erdos_renyi.agents: expected at least 1, found 0\n"
        "erdos_renyi.probability: expected from 0 to 1, found 1.5");
  CHECK(said([] { make_topology(geometric(5, 0), 1); }) == "random_geometric.radius: expected above 0, found 0");
  CHECK(said([] { make_topology(regular(5, 3), 1); }) ==
        "random_regular.degree: expected even for an odd number of agents, found 3");
  CHECK(said([] { make_topology(regular(4, 4), 1); }) == "random_regular.degree: expected below agents, found 4");
  CHECK(said([] { make_topology(small_world(5, 3, 0.1), 1); }) == "watts_strogatz.degree: expected even, found 3");
  CHECK(said([] { make_topology(small_world(2, 2, 0.1), 1); }) ==
        "watts_strogatz.degree: expected below agents, found 2");
  CHECK(said([] { make_topology(attachment(3, 3), 1); }) ==
        "barabasi_albert.edges_per_agent: expected below agents, found 3");
  CHECK(said([] { make_topology(attachment(3, 0), 1); }) ==
        "barabasi_albert.edges_per_agent: expected at least 1, found 0");
}

}  // namespace lagnet::families_random_test
