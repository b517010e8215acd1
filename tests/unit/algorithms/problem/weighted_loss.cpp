#include "algorithms/problem/weighted_loss.hpp"

#include <catch2/catch.hpp>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "sim/base/errors.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::testing::weighted_loss_test {

namespace {

/// Six samples of three features, of which agents hold one, two and three.
const std::vector<Index> starts{0, 1, 3, 6};

Problem logistic_problem(double l1_weight) {
  const Matrix X{{1, 2, -1}, {0, 1, 1}, {2, -1, 0.5}, {-1, 0, 1}, {1, 1, 1}, {0.5, -2, 1}};
  return make_problem(X, Vector{{1, -1, 1, 1, -1, -1}}, make_loss(LogisticOptions{}),
                      make_regularizer(ElasticNetOptions{.l1_weight = l1_weight, .l2_weight = 0.1}));
}

/// (1/3) sum_i (1/n_i) sum over agent i's samples of log(1 + exp(-y x'theta)), + r.
double by_agents(const Problem& problem, const Vector& theta) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i)
    for (Index k = starts[i]; k < starts[i + 1]; ++k) {
      const double score = problem.X->dense().row(k).dot(theta);
      sum += std::log1p(std::exp(-problem.y[k] * score)) / static_cast<double>(starts[i + 1] - starts[i]);
    }
  return sum / 3 + problem.regularizer->value(theta);
}

}  // namespace

using namespace lagnet::testing;

TEST_CASE("the pooled problem of agents that weigh alike has the mean of their means, and a certified optimum") {
  for (const double l1_weight : {0.0, 0.05}) {
    const Problem problem = logistic_problem(l1_weight), even = pooled(problem, AgentWeights::even, starts);
    const Vector theta{{0.3, -0.2, 0.7}};
    CHECK(even.objective(theta) == Approx(by_agents(problem, theta)).epsilon(1e-14));  // six terms below 2
    const Optimum optimum = solve_centrally(even);
    REQUIRE(optimum.certified());
    CHECK(optimum.value == Approx(by_agents(problem, optimum.theta)).epsilon(1e-14));
    // No step of 1e-3 along a coordinate leads below it.
    for (Index j = 0; j < 3; ++j)
      for (const double step : {-1e-3, 1e-3})
        CHECK(by_agents(problem, optimum.theta + step * Vector::Unit(3, j)) > optimum.value);
    CHECK((optimum.theta - solve_centrally(problem).theta).norm() > 1e-2);
  }
}

TEST_CASE("weights by samples, or of agents that hold as many, leave the problem as it is") {
  const Problem problem = logistic_problem(0);
  CHECK(pooled(problem, AgentWeights::samples, starts).loss == problem.loss);
  CHECK(pooled(problem, AgentWeights::even, {0, 2, 4, 6}).loss == problem.loss);
  CHECK(agent_weights(AgentWeights::samples, starts) == std::vector<double>{0.5, 1, 1.5});
  CHECK(agent_weights(AgentWeights::samples, {0, 2, 4, 6}) == std::vector<double>{1, 1, 1});
  CHECK(agent_weights(AgentWeights::even, starts) == std::vector<double>{1, 1, 1});
}

TEST_CASE("a weighted loss is each sample's loss times its weight, in value, derivative, curvature and conjugate") {
  const Vector w{{2, 0.5}}, a{{0.4, -0.3, 0.1, 0.9, -0.2, 0}}, y{{2, 0}};
  const auto one = make_loss(SoftmaxOptions{.classes = 3});
  const WeightedLoss weighted(one, w);
  const auto part = [](const Vector& v, Index i) { return Vector(v.segment(3 * i, 3)); };
  double total = 0, conjugate = 0;
  const Vector lam = weighted.derivative(a, y);
  for (Index i = 0; i < 2; ++i) {
    const Vector own = y.segment(i, 1);
    total += w[i] * one->total(part(a, i), own);
    CHECK(part(lam, i) == w[i] * one->derivative(part(a, i), own));
    conjugate += part(lam, i).dot(part(a, i)) - w[i] * one->total(part(a, i), own);
  }
  CHECK(weighted.total(a, y) == Approx(total).epsilon(1e-15));
  // Fenchel's equality, at a derivative.
  CHECK(weighted.total_conjugate(lam, y) == Approx(conjugate).epsilon(1e-13));
  CHECK(weighted.smoothness() == 2 * one->smoothness().value());
  CHECK_THROWS_AS(weighted.value(1, 1), InternalError);
}

}  // namespace lagnet::testing::weighted_loss_test
