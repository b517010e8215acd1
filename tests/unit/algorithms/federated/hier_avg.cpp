#include "algorithms/federated/hier_avg.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/federated/tree_bench.hpp"

namespace lagnet::hier_avg_test {

using namespace lagnet::test;

namespace {

Tree five_clients(std::vector<Index> edges, Round rounds) {
  return {.problem = random_problem(50, 3, 0, 0.1),
          .edges = std::move(edges),
          .sizes = {5, 15, 8, 12, 10},
          .rounds = rounds};
}

HierAvgOptions hier(std::int64_t kappa_1, std::int64_t kappa_2) {
  HierAvgOptions options;
  options.local_steps = RoundCounts(kappa_1);
  options.client_step = 0.1;
  options.edge_rounds = kappa_2;
  return options;
}

/// fed_avg, or fed_prox, over a star with the same clients.
Result star_run(const Tree& tree, std::int64_t steps, double mu = 0) {
  const Bench bench{.problem = tree.problem, .sizes = tree.sizes, .rounds = tree.rounds};
  FedProxOptions options;
  options.local_steps = RoundCounts(steps);
  options.client_step = 0.1;
  options.mu = mu;
  return simulate(bench, options);
}

}  // namespace

TEST_CASE("with one edge round a round is one of federated averaging over a star, with a proximal term, too") {
  for (const double mu : {0.0, 0.7}) {
    const Tree tree = five_clients({3, 2}, 20);
    HierAvgOptions options = hier(4, 1);
    options.mu = mu;
    const Result result = tree.run(options), star = star_run(tree, 4, mu);
    for (std::size_t t = 0; t <= 20; ++t) CHECK((result.w[t] - star.w[t]).norm() < 1e-14);
  }
}

TEST_CASE("with one edge a round is as many rounds of federated averaging as it has") {
  const Tree tree = five_clients({5}, 6);
  Tree longer = tree;
  longer.rounds = 18;
  const Result result = tree.run(hier(2, 3)), star = star_run(longer, 2);
  for (std::size_t t = 0; t <= 6; ++t) CHECK((result.w[t] - star.w[3 * t]).norm() < 1e-14);
}

TEST_CASE("with one client an edge, edge rounds are local steps") {
  const Tree tree = five_clients({1, 1, 1, 1, 1}, 6);
  const Result result = tree.run(hier(2, 3)), star = star_run(tree, 6);
  for (std::size_t t = 0; t <= 6; ++t) CHECK((result.w[t] - star.w[t]).norm() < 1e-14);
}

TEST_CASE("a round takes one way to the edges and back, and an edge round one to the clients and back") {
  const Tree tree = five_clients({3, 2}, 4);
  const Result result = tree.run(hier(2, 3));
  CHECK(result.log.times(EventKind::reported, 0).back() == at(4 * 2 * (cloud_ns + 3 * edge_ns)));
  CHECK(result.ledger.total().messages_sent == 4 * (2 * 2 + 3 * 2 * 5));
  CHECK(result.ledger.total().bytes_sent == 8 * 3 * result.ledger.total().messages_sent);
  CHECK(result.ledger.agent(0).flops == 4 * 2 * 2 * 3);
  CHECK(result.ledger.agent(1).flops == 4 * (3 * 2 * 3 * 3 + 3));
  CHECK(result.ledger.agent(2).flops == 4 * (3 * 2 * 2 * 3 + 3));
}

TEST_CASE("an edge without a client in the cohort keeps its model, and weighs as ever") {
  Tree tree = five_clients({3, 2}, 1);
  tree.model.participation = std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{6, 7}});
  const Result some = tree.run(hier(2, 1));
  // Clients 6 and 7, of the second edge, hold 12 and 10 of the 50 samples.
  Tree alone{.problem = {}, .edges = {2}, .sizes = {12, 10}, .rounds = 1};
  alone.problem = problem_of(tree.problem.X->dense().bottomRows(22), tree.problem.y.tail(22));
  alone.problem.regularizer = tree.problem.regularizer;
  CHECK((some.w[1] - 22.0 / 50 * alone.run(hier(2, 1)).w[1]).norm() < 1e-15);
}

TEST_CASE("the cloud goes on without an edge that is late, and the edge with the next round") {
  Tree tree = five_clients({3, 2}, 5);
  tree.model.participation =
      std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{3, 4, 5, 6, 7}, {3, 4, 5}});
  HierAvgOptions options = hier(1, 2);
  options.cloud_deadline_ms = 43;  // 40 ms to the edges and back, and 2 ms for an edge round; 4 ms are too long
  const Result result = tree.run(options);
  CHECK(result.log.times(EventKind::reported, 0).size() == 6);
  CHECK(result.ledger.total().late > 0);
}

}  // namespace lagnet::hier_avg_test
