#include "algorithms/peers/directed/push_sum.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/local/local_fits.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::push_sum_test {

using namespace lagnet::test;

namespace {

PeerResult averaged(const PeerBench& bench) { return simulate<PushSum>(bench, PushSumOptions{}); }

/// What the agents of a bench find alone, by rows (m x d).
Matrix starts(const PeerBench& bench) {
  const std::vector<Vector> own = own_minimizers(bench.problem, bench.assignment().sample_starts);
  Matrix rows(std::ssize(own), own.front().size());
  for (std::size_t i = 0; i < own.size(); ++i) rows.row(static_cast<Index>(i)) = own[i].transpose();
  return rows;
}

}  // namespace

TEST_CASE("push-sum multiplies sums and weights with the push weights and reports their ratios") {
  const PeerBench bench = digraph_bench(6);
  const PeerResult result = averaged(bench);
  const Matrix C = push_matrix(bench);
  Matrix S = starts(bench);
  Vector w = Vector::Ones(8);
  CHECK(iterates(result, 0) == S);
  for (std::size_t t = 1; t <= 6; ++t) {
    S = (C * S).eval();
    w = (C * w).eval();
    // Some roundings of numbers of order 1 in each round.
    CHECK((iterates(result, t) - w.cwiseInverse().asDiagonal() * S).cwiseAbs().maxCoeff() < 1e-14 * 6);
    for (AgentId i = 0; i < 8; ++i) CHECK(result.reports[t][i].at(1)[0] == Approx(w[i]).epsilon(1e-14));
  }
}

TEST_CASE("on a directed ring push-sum gives binomial averages of those behind") {
  const PeerBench bench = digraph_bench(5, ring_edges(8));
  const PeerResult result = averaged(bench);
  const Matrix x0 = starts(bench);
  const std::vector<double> binomial{1, 5, 10, 10, 5, 1};
  for (Index i = 0; i < 8; ++i) {
    Vector expected = Vector::Zero(4);
    for (Index k = 0; k <= 5; ++k)
      expected += binomial[static_cast<std::size_t>(k)] / 32 * x0.row((i - k + 8) % 8).transpose();
    // Halves are exact, sums of 32 terms of order 1 are not.
    CHECK((result.theta(5, static_cast<AgentId>(i)) - expected).cwiseAbs().maxCoeff() < 1e-14);
    CHECK(result.reports[5][static_cast<std::size_t>(i)].at(1)[0] == 1);
  }
}

TEST_CASE("push-sum keeps the sums of values and of weights and its ratios tend to the mean") {
  const PeerBench bench = digraph_bench(100);
  const PeerResult result = averaged(bench);
  const Vector total = starts(bench).colwise().sum();
  for (std::size_t t = 0; t <= 100; ++t) {
    CAPTURE(t);
    Vector values = Vector::Zero(4);
    for (const auto& parts : result.reports[t]) {
      CHECK(parts.at(1)[0] > 0);
      values += parts[1][0] * parts[0];
    }
    // Each round rounds eight sums of numbers of order 1.
    CHECK((values - total).cwiseAbs().maxCoeff() < 1e-15 * 8 * (1 + static_cast<double>(t)));
    CHECK(std::abs(sum_of_part(result, t, 1)[0] - 8) < 1e-15 * 8 * (1 + static_cast<double>(t)));
  }
  // The second eigenvalue of these weights is below 0.75 in absolute value: 0.75^100 is 3e-13.
  for (AgentId i = 0; i < 8; ++i) CHECK((result.theta(100, i) - total / 8).norm() < 1e-11);
}

TEST_CASE("a single agent of push-sum keeps its own minimizer") {
  PeerBench bench{.problem = normal_regression(10, 3), .sizes = {10}, .rounds = 3};
  const PeerResult result = averaged(bench);
  // Multiplied with 1 and divided by it.
  for (std::size_t t = 0; t <= 3; ++t) CHECK(iterates(result, t) == starts(bench));
  CHECK(result.ledger.total().messages_sent == 0);
}

TEST_CASE("a round of push-sum costs two sums and sends d + 1 numbers to each that it has a link to") {
  const PeerBench bench = digraph_bench(4);
  const PushSum method({}, bench.assignment());
  const PeerResult result = simulate(bench, method), timing = simulate(bench, method, true);
  const Vector out = divisors(bench, true), in = divisors(bench, false);  // with 1 each
  for (AgentId i = 0; i < 8; ++i) {
    const AgentAccount &now = result.accounts[3][i], &before = result.accounts[2][i];
    CHECK(now.flops - before.flops == static_cast<Flops>(in[i]) * 5 + 4);
    CHECK(result.ledger.agent(i).bytes_sent == 4 * 8 * 5 * static_cast<Bytes>(out[i] - 1));
    CHECK(timing.ledger.agent(i).flops == result.ledger.agent(i).flops);
    CHECK(timing.ledger.agent(i).bytes_sent == result.ledger.agent(i).bytes_sent);
  }
}

TEST_CASE("push-sum measures the distance from the mean of the agents' minimizers") {
  const PeerBench bench = digraph_bench(2);
  const PushSum method({}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const Evaluation last = method.evaluate(2, result.reports[2], {});
  const Matrix z = iterates(result, 2), x0 = starts(bench);
  const Eigen::RowVectorXd mean = z.colwise().mean(), average = x0.colwise().mean();
  CHECK((last.iterate - mean.transpose()).norm() < 1e-14);
  CHECK(last.metrics[0].value() == Approx(std::sqrt((z.rowwise() - mean).squaredNorm() / 8)));
  CHECK(last.metrics[1].value() == Approx(std::sqrt((z.rowwise() - average).squaredNorm() / 8)));
}

TEST_CASE("push-sum needs samples with a minimizer for every agent") {
  PeerBench bench = digraph_bench(1);
  bench.problem.loss = make_loss(LogisticOptions{});
  bench.problem.y = Vector::Ones(80);  // all labels of an agent are alike: the larger the coefficients the better
  CHECK_THROWS_WITH(averaged(bench),
                    "kind: expected samples of which each agent's have a minimizer, as any do with an l2 regularizer, "
                    "found none for those of agent 0");
}

}  // namespace lagnet::push_sum_test
