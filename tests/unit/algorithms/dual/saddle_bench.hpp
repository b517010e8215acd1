#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/dual/a_dispa.hpp"
#include "algorithms/dual/cocoa_plus.hpp"
#include "algorithms/dual/dispa.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

/// Small problems for the tests of distributed primal-dual methods.
namespace lagnet::test {

/// Normal samples divided by their norms and a factor, so that R is at most 1 and some are shorter, with labels -1 and
/// +1 of which a tenth is wrong.
inline Problem saddle_problem(Index n, Index d, double lambda, std::shared_ptr<const Loss> loss) {
  Matrix X = random_matrix(n, d);
  Draws draws(11, Purpose{"labels"});
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    X.row(i) /= X.row(i).norm() * (1 + 0.5 * static_cast<double>(i % 2));
    y[i] = (X(i, 0) - X(i, d - 1) > 0) != draws.bernoulli(0.1) ? 1 : -1;
  }
  Problem problem = problem_of(X, y, std::move(loss));
  problem.regularizer = make_regularizer(L2Options{.weight = lambda});
  return problem;
}

inline std::vector<std::shared_ptr<const Loss>> saddle_losses() {
  return {make_loss(HingeOptions{}), make_loss(SmoothedHingeOptions{.gamma = 0.7}), make_loss(LogisticOptions{}),
          make_loss(SquaredOptions{})};
}

template <class Options>
Options with_steps(Options options, std::int64_t H, StepOrder order = StepOrder::uniform) {
  options.local_steps = H;
  options.order = order;
  return options;
}

inline DispaOptions dispa(double tau, double sigma, LocalSolverKind solver = LocalSolverKind::spdc) {
  DispaOptions options;
  options.tau = tau;
  options.sigma = sigma;
  options.local_solver = solver;
  return options;
}

/// P - D of every round, x and y being the parts of its report.
inline std::vector<double> may_miss_rounds(const Bench& bench, const Algorithm& method, const Result& result) {
  std::vector<double> all;
  for (std::size_t t = 0; t < result.parts.size(); ++t) {
    const std::vector<std::vector<Vector>> report{result.parts[t]};
    const auto gap = method.evaluate(static_cast<Round>(t), report, {}).metrics.at(1);
    CHECK(bench.problem.objective(result.w[t]) == method.evaluate(static_cast<Round>(t), report, {}).objective);
    all.push_back(gap.value_or(NAN));
  }
  return all;
}

inline Bench saddle_bench(const std::shared_ptr<const Loss>& loss, double lambda, Round rounds,
                          std::vector<Index> sizes = {10, 10, 10}) {
  Index n = 0;
  for (const Index n_k : sizes) n += n_k;
  return {.problem = saddle_problem(n, 6, lambda, loss), .sizes = std::move(sizes), .rounds = rounds};
}

inline double largest_difference(const Result& a, const Result& b) {
  double largest = 0;
  for (std::size_t t = 0; t < a.parts.size(); ++t)
    for (std::size_t part = 0; part < 2; ++part)
      largest = std::max(largest, (a.parts[t][part] - b.parts[t][part]).lpNorm<Eigen::Infinity>());
  return largest;
}

}  // namespace lagnet::test
