#include "algorithms/peers/asynchronous/fd_edge_admm.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/peers/asynchronous/moments_bench.hpp"

namespace lagnet::fd_edge_admm_test {

using namespace lagnet::test;

namespace {

/// Three agents in a row with 2, 1 and 3 features of 30 samples.
MomentsBench divided_features(double l1, double l2, double end_ms) {
  MomentsBench bench{.peers = {.problem = normal_regression(30, 6), .sizes = {10, 10, 10}, .edges = {{0, 1}, {1, 2}}},
                     .end_ms = end_ms,
                     .update_ms = {10, 12, 35}};
  bench.peers.problem.regularizer = make_regularizer(ElasticNetOptions{.l1_weight = l1, .l2_weight = l2});
  return bench;
}

MethodInput of_features(const MomentsBench& bench) {
  MethodInput given = bench.assignment();
  given.sample_starts.clear();
  given.feature_starts = {0, 2, 3, 6};
  return given;
}

Vector joined_blocks(const MomentsResult& result, double ms) {
  return (Vector(6) << result.x(0, ms), result.x(1, ms), result.x(2, ms)).finished();
}

}  // namespace

TEST_CASE("the owner of the labels begins with a ridge regression on its own features and the others begin at zero") {
  const MomentsBench bench = divided_features(0, 0.1, 36);
  for (const AgentId owner : {0u, 2u}) {
    const double rho = 15;
    const auto method = make_algorithm(FdEdgeAdmmOptions{.penalty = rho, .label_agent = owner}, of_features(bench));
    const MomentsResult result = simulate(bench, *method);
    const Matrix A = bench.peers.problem.X->dense().middleCols(owner == 0 ? 0 : 3, owner == 0 ? 2 : 3);
    const double c = 30.0 / 3 + rho * 1;
    const Matrix H = A.transpose() * A / c + 0.1 * Matrix::Identity(A.cols(), A.cols());
    const Vector theta = H.llt().solve(A.transpose() * bench.peers.problem.y / c);
    CHECK((result.x(owner, owner == 0 ? 10 : 35) - theta).norm() <= 1e-12);  // of a condition below 100
    CHECK(result.x(2 - owner, owner == 0 ? 35 : 10).norm() == 0);
    CHECK(result.value(1, 12) == 0);
  }
}

TEST_CASE("ADMM over edges for divided features reaches the optimum and its zeros with a third of the messages lost") {
  for (const double l1 : {0.0, 0.3})
    for (const double l2 : {0.1, 0.0}) {
      CAPTURE(l1, l2);
      MomentsBench bench = divided_features(l1, l2, 60'000);
      bench.peers.model.faults.push_back(std::make_shared<IndependentLoss>(0.3));
      const Vector best = solve_centrally(bench.peers.problem).theta;
      const auto method = make_algorithm(FdEdgeAdmmOptions{.penalty = 15, .label_agent = 1}, of_features(bench));
      const Vector theta = joined_blocks(simulate(bench, *method), 60'000);
      CHECK((theta - best).norm() < 1e-6);  // the certificate's gap of 1e-10 bounds the distance by about its root
      for (Index k = 0; k < 6; ++k) CHECK((theta[k] == 0) == (best[k] == 0));
    }
}

TEST_CASE("ADMM over edges for divided features accepts squared losses, l1 and l2 norms, and an owner that exists") {
  MomentsBench bench = divided_features(0.1, 0, 1);
  const FdEdgeAdmmOptions options{.penalty = 15};
  CHECK(refusal_of(options, of_features(bench)).empty());
  CHECK(refusal_of(FdEdgeAdmmOptions{.penalty = 15, .label_agent = 3}, of_features(bench)) ==
        "label_agent: expected an agent from 0 to 2, found 3");
  bench.peers.problem.loss = make_loss(HuberOptions{});
  CHECK(refusal_of(options, of_features(bench)).find("squared") != std::string::npos);
}

}  // namespace lagnet::fd_edge_admm_test
