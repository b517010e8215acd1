#include <algorithm>
#include <optional>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/dual/dispa.hpp"
#include "tests/unit/algorithms/dual/saddle_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::dispa_test {

using namespace lagnet::test;

namespace {

/// The saddle function (4) with (lambda/2) |x|^2.
double saddle(const Problem& problem, double lambda, VectorRef x, VectorRef y) {
  const double n = static_cast<double>(problem.samples);
  return (y.dot(problem.scores(x)) - problem.loss->total_conjugate(y, problem.y)) / n + lambda / 2 * x.squaredNorm();
}

/// The constant that a run writes down, where it does.
std::optional<double> theta_of(const Algorithm& method) {
  for (const auto& [name, value] : method.constants())
    if (name == "Theta") return value;
  return std::nullopt;
}

}  // namespace

TEST_CASE("with exact local solutions and the parameters of Theorem 1 DiSPA contracts by Theta in every round") {
  const double lambda = 0.05, K = 3;
  for (const auto& loss : {make_loss(SmoothedHingeOptions{.gamma = 0.7}), make_loss(LogisticOptions{}),
                           make_loss(SquaredOptions{}), make_loss(SmoothedHingeOptions{.gamma = 0.1})}) {
    const Bench bench = saddle_bench(loss, lambda, 200);
    const Problem& problem = bench.problem;
    const double n = 30, gamma = 1 / *loss->smoothness(), tau = gamma / 4, sigma = 1 / gamma;  // R = 1
    const auto method = make_algorithm(dispa(tau, sigma, LocalSolverKind::exact), bench.assignment());
    const Result result = simulate(bench, *method);
    const Vector x_star = solve_centrally(problem).theta;
    const Vector y_star = loss->derivative(problem.scores(x_star), problem.y);
    const double Theta = std::max(1 / (1 + sigma * gamma / K - 1 / (2 * K * K)), 1 / (1 + tau * lambda));
    const auto Delta = [&](std::size_t t) {
      const Vector &x = result.parts[t][0], &y = result.parts[t][1];
      return saddle(problem, lambda, x, y_star) - saddle(problem, lambda, x_star, y) +
             (1 + tau * lambda) / (2 * tau) * (x - x_star).squaredNorm() +
             (2 * K * K + 2 * K * sigma * gamma - 1) / (4 * sigma * n * K) * (y - y_star).squaredNorm();
    };
    for (std::size_t t = 1; t <= 200; ++t) {
      CAPTURE(loss->kind(), t);
      // The optimum is known to sqrt(1e-14), whose square is what Delta cannot resolve.
      CHECK(Delta(t) <= Theta * Delta(t - 1) + 1e-12);
      const std::vector<std::vector<Vector>> report{result.parts[t]};
      const double kappa = 1 / (lambda * gamma);
      const double gap = *method->evaluate(static_cast<Round>(t), report, {}).metrics[1];
      CHECK(gap <= (1 + kappa) * Delta(t) + 1e-12);
    }
    CHECK(theta_of(*method).value() == Approx(Theta).epsilon(1e-14));
  }
}

TEST_CASE("DiSPA has a Theta only where Lemma 1 has one") {
  const auto has_theta = [](double tau, double sigma, std::vector<Index> sizes) {
    const Bench bench =
        saddle_bench(make_loss(SmoothedHingeOptions{.gamma = 0.5}), 0.05, 1, std::move(sizes));  // R = 1
    return theta_of(*make_algorithm(dispa(tau, sigma, LocalSolverKind::exact), bench.assignment())).has_value();
  };
  CHECK(has_theta(0.125, 2, {10, 10, 10}));
  CHECK(has_theta(0.125, 0.34, {10, 10, 10}));
  CHECK(!has_theta(0.125, 0.33, {10, 10, 10}));  // sigma > 1 / (2 K gamma)
  CHECK(!has_theta(0.126, 2, {10, 10, 10}));     // tau sigma <= 1 / (4 R^2)
  CHECK(has_theta(0.125, 2, {11, 10, 10}));
  CHECK(!has_theta(0.125, 2, {11, 10, 9}));
}

}  // namespace lagnet::dispa_test
