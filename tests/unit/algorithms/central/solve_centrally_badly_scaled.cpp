#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "sim/base/draws.hpp"
#include "tests/unit/algorithms/central/problems.hpp"
#include "tests/unit/algorithms/central/solve_centrally_long_minimum.hpp"

namespace lagnet::badly_scaled_test {

using namespace lagnet::testing;

namespace {

/// Columns of normal numbers times 10^e, e in [-6, 6]; in some problems copies of columns, constant columns, columns of
/// zeros, one row, or fewer rows than columns.
Matrix badly_scaled_matrix(Draws& draws) {
  const Index n = draws.bernoulli(0.05) ? 1 : 2 + static_cast<Index>(draws.below(28));
  const Index d = 1 + static_cast<Index>(draws.below(5));
  Matrix x(n, d);
  for (double& entry : x.reshaped()) entry = draws.normal();
  for (Index j = 0; j < d; ++j) x.col(j) *= std::pow(10.0, 12 * draws.uniform() - 6);
  if (draws.bernoulli(0.2)) x.col(static_cast<Index>(draws.below(static_cast<std::uint64_t>(d)))).setConstant(1e4);
  if (draws.bernoulli(0.2)) x.col(static_cast<Index>(draws.below(static_cast<std::uint64_t>(d)))).setConstant(3e-5);
  if (draws.bernoulli(0.05)) x.col(0).setZero();
  if (d > 1 && draws.bernoulli(0.25)) x.col(0) = x.col(d - 1);
  if (d > 2 && draws.bernoulli(0.1)) x.col(1) = -0x1p20 * x.col(d - 1);
  return x;
}

/// Of scores of size 1 and noise; separable by the first column that is not constant in some problems of two classes.
Vector labels(const Matrix& x, const Loss& loss, Draws& draws) {
  const double noise = std::pow(10.0, 3 * draws.uniform() - 2);
  const bool separable = draws.bernoulli(0.1);
  Vector y(x.rows());
  for (double& label : y) label = separable ? 0 : noise * draws.normal();
  for (Index j = 0; j < x.cols(); ++j) {
    const double size = x.col(j).cwiseAbs().maxCoeff();
    if (size > 0) y += (draws.bernoulli(0.5) ? 1 : -1) / size * x.col(j);
  }
  if (loss.outputs() > 1) return y.unaryExpr([](double v) { return v > 0.5 ? 2.0 : v > -0.5 ? 1.0 : 0.0; });
  return labels_for(loss, y);
}

struct Ratios {
  std::vector<double> of_gaps;
  int uncertified = 0, without_minimizer = 0, problems = 0;
  double largest_relative = 0;
};

/// The random problem of this number, with a pair of loss and regularizer in turn.
Problem problem_of(std::uint64_t number) {
  Draws draws(number, Purpose("badly scaled"));
  auto losses = all_losses();
  losses.push_back(make_loss(SoftmaxOptions{.classes = 3}));
  const auto loss = losses[number % losses.size()];
  const double weight = std::pow(10.0, 6 * draws.uniform() - 6);
  const auto r = all_regularizers(weight)[number / losses.size() % 4];
  const Matrix x = badly_scaled_matrix(draws);
  return make_problem(x, labels(x, *loss, draws), loss, r);
}

std::string pair_of(const Problem& problem) {
  const double a = *problem.regularizer->l1_weight(), b = *problem.regularizer->l2_weight();
  return std::string(problem.loss->kind()) + (a > 0 && b > 0 ? ", elastic net"
                                              : a > 0        ? ", l1"
                                              : b > 0        ? ", l2"
                                                             : ", none");
}

void check(std::uint64_t number, std::map<std::string, Ratios>& ratios) {
  const Problem problem = problem_of(number);
  const Optimum found = solve_centrally(problem);
  Ratios& of_pair = ratios[pair_of(problem)];
  ++of_pair.problems;
  CAPTURE(number, pair_of(problem), problem.X->rows(), problem.X->cols(), found.certificate.method);
  if (found.certificate.kind == CertificateKind::no_minimizer) {
    ++of_pair.without_minimizer;
    return;
  }
  if (!found.certified()) ++of_pair.uncertified;
  if (found.certificate.kind == CertificateKind::none) return;
  const double initial = problem.objective(Vector::Zero(problem.dim()));
  const double gap = static_cast<double>(static_cast<long double>(found.value) - long_minimum(problem, found.theta));
  const double bound = found.certificate.relative * initial;
  CAPTURE(gap, bound, found.value, initial);
  CHECK(gap <= bound);
  of_pair.of_gaps.push_back(gap <= 0 ? 0 : gap / bound);
  if (found.certified()) of_pair.largest_relative = std::max(of_pair.largest_relative, found.certificate.relative);
}

void check_all(std::uint64_t first, std::uint64_t last) {
  std::map<std::string, Ratios> ratios;
  for (std::uint64_t number = first; number < last; ++number) check(number, ratios);
  for (auto& [pair, of] : ratios) {
    std::ranges::sort(of.of_gaps);
    const std::size_t count = of.of_gaps.size();
    const double largest = count == 0 ? 0 : of.of_gaps.back(),
                 nearly = count == 0 ? 0 : of.of_gaps[(count - 1) * 99 / 100];
    std::printf(
        "%-28s %4d problems %3d uncertified %3d without minimizer  largest ratio %.3f  99 %% %.3f  largest "
        "certificate %.1e\n",
        pair.c_str(), of.problems, of.uncertified, of.without_minimizer, largest, nearly, of.largest_relative);
  }
}

}  // namespace

TEST_CASE("Certificates bound the distance to the true minimum of badly scaled problems") { check_all(0, 280); }

TEST_CASE("Certificates bound the distance to the true minimum of 2,000 badly scaled problems", "[slow]") {
  check_all(1000, 3000);
}

}  // namespace lagnet::badly_scaled_test
