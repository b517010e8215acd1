#pragma once

#include <vector>

#include "algorithms/federated/hier_avg.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

/// Small worlds of two levels for the tests of hierarchical methods.
namespace lagnet::test {

inline constexpr std::int64_t cloud_ns = 20'000'000, edge_ns = 1'000'000;

/// A cloud, edges with so many clients each, and the samples of these.
struct Tree {
  Problem problem;
  std::vector<Index> edges;  // clients of each
  std::vector<Index> sizes;  // samples of each client
  Round rounds = 1;
  WorldModel model = {};

  MethodInput assignment() const {
    MethodInput given{.problem = problem, .rounds = rounds};
    const std::size_t first = 1 + edges.size();
    given.sample_starts.assign(first + 1, 0);
    for (const Index size : sizes) given.sample_starts.push_back(given.sample_starts.back() + size);
    given.network.agents = static_cast<Index>(first + sizes.size());
    given.network.parents.assign(first, 0);
    for (AgentId l = 1; l <= edges.size(); ++l)
      for (Index k = 0; k < edges[l - 1]; ++k) given.network.parents.push_back(l);
    return given;
  }
  Result run(const HierAvgOptions& options) const {
    const MethodInput given = assignment();
    const auto agents = static_cast<AgentId>(given.network.agents);
    std::vector<LinkSpec> links;
    for (AgentId a = 1; a < agents; ++a)
      join(links, given.network.parents[a], a, a <= edges.size() ? cloud_ns : edge_ns);
    Simulation world(Network(agents, links), ComputeModel(std::vector<double>(agents, infinite)), {.model = model});
    const auto method = make_algorithm(options, given);
    Result result;
    result.ledger = Ledger(agents, world.network().links());
    world.listen(result.ledger);
    world.listen(result.log);
    world.record(result);
    method->spawn(world);
    world.run();
    return result;
  }
};

}  // namespace lagnet::test
