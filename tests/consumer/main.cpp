// A program of another project: the first draws of agent 0, and its neighbors on a ring.
#include <cstdio>

#include "sim/base/draws.hpp"
#include "topologies/generators/families.hpp"

int main() {
  lagnet::Draws draws(1, lagnet::Purpose("consumer"));
  const lagnet::Topology ring = lagnet::make_topology(lagnet::RingOptions{.agents = 5}, 1);
  std::printf("agent 0 draws %.17g and has %zu neighbors\n", draws.uniform(), ring.neighbors(0).size());
  return ring.connected() && ring.neighbors(0).size() == 2 ? 0 : 1;
}
