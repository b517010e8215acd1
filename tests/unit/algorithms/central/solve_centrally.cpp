#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/central/piecewise_linear.hpp"
#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "sim/base/draws.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/bare_loss.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::solve_centrally_test {

using namespace lagnet::testing;

namespace {

/// Runs body(problem) for every pair of loss and regularizer on the data.
template <class Body>
void for_all_pairs(const Matrix& x, const Vector& y, double weight, Body body) {
  for (const auto& loss : all_losses()) {
    for (const auto& r : all_regularizers(weight)) {
      CAPTURE(loss->kind(), *r->l1_weight(), *r->l2_weight(), x.rows(), x.cols(), weight);
      body(make_problem(x, labels_for(*loss, y), loss, r));
    }
  }
}

bool without_minimizer(const Problem& problem, const Optimum& optimum) {
  return problem.loss->kind() == "logistic" && *problem.regularizer->l1_weight() == 0 &&
         *problem.regularizer->l2_weight() == 0 && optimum.certificate.kind == CertificateKind::no_minimizer;
}

/// The objective after the primal-dual method of Chambolle and Pock on X and the loss's prox_conjugate: slow, and it
/// shares nothing with the solvers but the proximal maps, which have tests of their own.
double value_by_primal_dual(const Problem& problem, int steps) {
  const Matrix x = problem.X->dense();
  const double n = static_cast<double>(problem.samples);
  const double norm = x.norm() / n;  // at least |X| / n
  const double tau = 1 / norm * std::sqrt(n) / n, sigma = 1 / norm / std::sqrt(n) * n;
  Vector theta = Vector::Zero(x.cols()), lam = Vector::Zero(x.rows());
  double least = problem.objective(theta);
  for (int t = 0; t < steps; ++t) {
    const Vector next = problem.regularizer->prox(theta - tau / n * x.transpose() * lam, tau);
    lam += sigma / n * (x * (2 * next - theta));
    problem.loss->prox_conjugate(lam, problem.y, sigma / n);
    theta = next;
    if (t % 50 == 0) least = std::min(least, problem.objective(theta));
  }
  return least;
}

}  // namespace

TEST_CASE("Every pair of loss and regularizer is solved to a certificate of 1e-10 on tall, square and wide data") {
  for (const auto& [n, d] : {std::pair<Index, Index>{40, 5}, {30, 13}, {12, 12}, {8, 20}, {1, 1}, {1, 4}, {6, 1}}) {
    const Matrix x = normal_matrix(n, d, 1);
    for (const double weight : {0.01, 0.3, 50.0}) {
      for_all_pairs(x, noisy_labels(x, 1), weight, [](const Problem& problem) {
        const Optimum optimum = solve_centrally(problem);
        if (without_minimizer(problem, optimum)) return;
        CHECK(optimum.certificate.relative <= 1e-10);
        CHECK(optimum.certified());
        CHECK(optimum.value == problem.objective(optimum.theta));
      });
    }
  }
}

TEST_CASE("Every pair is solved on data with double, zero and dependent columns and double rows") {
  Matrix x = normal_matrix(40, 14, 3);
  x.col(3) = x.col(5);
  x.col(7).setZero();
  x.col(1) = 2 * x.col(2);
  x.row(5) = x.row(6);
  for (const double weight : {1e-6, 1e-3, 0.1}) {
    for_all_pairs(x, noisy_labels(x, 5), weight, [](const Problem& problem) {
      const Optimum optimum = solve_centrally(problem);
      if (without_minimizer(problem, optimum)) return;
      CHECK(optimum.certificate.relative <= 1e-10);
      CHECK(optimum.theta[7] == Approx(0).margin(1e-12));  // the zero column: 0 up to the rounding of a decomposition
    });
  }
}

TEST_CASE("A smooth loss without curvature and conjugate is solved to a certificate of 1e-10, and the same optimum") {
  const Matrix x = normal_matrix(40, 5, 2);
  for (const auto& loss : {make_loss(SquaredOptions{}), make_loss(HuberOptions{.threshold = 0.8})})
    for (const auto& r : all_regularizers(0.1)) {
      CAPTURE(loss->kind(), *r->l1_weight(), *r->l2_weight());
      const Vector y = noisy_labels(x, 2);
      const Problem full = make_problem(x, y, loss, r);
      const Problem bare = make_problem(x, y, std::make_shared<const test::BareLoss>(loss), r);
      const Optimum found = solve_centrally(bare), known = solve_centrally(full);
      CHECK(found.certified());
      // With a regularizer lam = l'(X theta) makes the gap one of the regularizer alone. Without, nothing bounds it.
      const bool has_gap = *r->l1_weight() > 0 || *r->l2_weight() > 0;
      CHECK(found.certificate.kind == (has_gap ? CertificateKind::duality_gap : CertificateKind::kkt_residual));
      const std::string method = "proximal gradient";
      CHECK(found.certificate.method ==
            (has_gap ? method : method + "; no duality gap, since the loss has no conjugate"));
      // Both are optimal to 1e-10 of F(0).
      CHECK(found.value == Approx(known.value).margin(2e-10 * full.objective(Vector::Zero(5))));
    }
}

TEST_CASE("A slow independent method never gets below the optimum, and close to it") {
  const Matrix x = normal_matrix(40, 6, 8);
  for_all_pairs(x, noisy_labels(x, 8), 0.05, [](const Problem& problem) {
    const Optimum optimum = solve_centrally(problem);
    if (without_minimizer(problem, optimum)) return;
    const double slow = value_by_primal_dual(problem, 40000);
    const double at_zero = problem.objective(Vector::Zero(problem.X->cols()));
    CHECK(slow >= optimum.value - 1e-13 * at_zero);  // the certificates are far below this
    CHECK(slow <= optimum.value + 1e-4 * at_zero);   // 40000 steps leave 3e-5 of the logistic loss with |theta| near 10
  });
}

TEST_CASE("Least squares is the solution of the normal equations, and of least norm when there are many") {
  const Matrix tall = normal_matrix(30, 4, 1);
  const Vector y = noisy_labels(tall, 1);
  const Vector expected = testing::inverse(tall.transpose() * tall) * tall.transpose() * y;
  const auto none = make_regularizer(NoneOptions{});
  const Optimum unique = solve_centrally(make_problem(tall, y, make_loss(SquaredOptions{}), none));
  CHECK((unique.theta - expected).norm() <= 1e-13 * expected.norm());  // condition number about 3, squared

  const Matrix wide = normal_matrix(4, 30, 2);
  const Vector few = noisy_labels(wide, 2);
  const Vector shortest = wide.transpose() * testing::inverse(wide * wide.transpose()) * few;
  const Optimum many = solve_centrally(make_problem(wide, few, make_loss(SquaredOptions{}), none));
  CHECK((many.theta - shortest).norm() <= 1e-13 * shortest.norm());
}

TEST_CASE("Ridge regression is its closed form, with the nominal number of samples") {
  const Matrix x = normal_matrix(30, 4, 1);
  const Vector y = noisy_labels(x, 1);
  Problem problem = make_problem(x, y, make_loss(SquaredOptions{}), make_regularizer(L2Options{.weight = 0.2}));
  problem.samples = 120;
  const Matrix regularized = x.transpose() * x + 120 * 0.2 * Matrix::Identity(4, 4);
  const Vector expected = testing::inverse(regularized) * x.transpose() * y;
  CHECK((solve_centrally(problem).theta - expected).norm() <= 1e-13 * expected.norm());  // condition number about 2
}

TEST_CASE("Least squares large enough for Gram matrices agrees with an orthogonal decomposition") {
  const Matrix x = normal_matrix(2600, 400, 6);
  const Vector y = noisy_labels(x, 6);
  const auto none = make_regularizer(NoneOptions{});
  const Optimum tall = solve_centrally(make_problem(x, y, make_loss(SquaredOptions{}), none));
  const Vector expected = testing::least_squares(x, y);
  CHECK((tall.theta - expected).norm() <= 1e-12 * expected.norm());  // condition number 2.3, 2600 terms per sum
  CHECK(tall.certificate.relative <= 1e-14);
  const Matrix transposed = x.transpose();
  const Optimum wide = solve_centrally(make_problem(transposed, y.head(400), make_loss(SquaredOptions{}), none));
  CHECK(wide.value <= 1e-24);  // met exactly: squares of rounding
  CHECK((wide.theta - x * testing::solve(transposed * x, y.head(400))).norm() <= 1e-12 * wide.theta.norm());
}

TEST_CASE("With orthogonal columns the l1 norm thresholds the least-squares solution") {
  Matrix x = Matrix::Zero(6, 3);
  x(0, 0) = x(1, 1) = x(2, 2) = std::sqrt(6.0);  // X'X / n = I
  const Vector y = (Vector(6) << 3, -0.5, 1, 7, 7, 7).finished();
  const Optimum optimum =
      solve_centrally(make_problem(x, y, make_loss(SquaredOptions{}), make_regularizer(L1Options{.weight = 0.3})));
  const Vector correlation = x.transpose() * y / 6;
  CHECK(optimum.theta[0] == Approx(correlation[0] - 0.3).epsilon(1e-14));  // a few roundings
  CHECK(optimum.theta[1] == 0);
  CHECK(optimum.theta[2] == Approx(correlation[2] - 0.3).epsilon(1e-13));
}

TEST_CASE("The absolute loss of one constant feature is minimal at the median") {
  const Vector y = (Vector(5) << 10, -3, 2, 4, 900).finished();
  const Optimum optimum = solve_centrally(
      make_problem(Matrix::Ones(5, 1), y, make_loss(AbsoluteOptions{}), make_regularizer(NoneOptions{})));
  CHECK(optimum.theta[0] == Approx(4).epsilon(1e-9));  // the certificate's accuracy times F(0) over the smallest slope
  CHECK(optimum.value == Approx((6 + 7 + 2 + 0 + 896) / 5.0).epsilon(1e-12));
}

TEST_CASE("Least absolute deviations are no better than the best fit through two of the samples") {
  // A linear program has its minimum at a vertex: a theta that meets as many labels as there are features.
  const Matrix x = normal_matrix(15, 2, 21);
  const Vector y = noisy_labels(x, 21);
  const Problem problem = make_problem(x, y, make_loss(AbsoluteOptions{}), make_regularizer(NoneOptions{}));
  double least = problem.objective(Vector::Zero(2));
  for (Index i = 0; i < 15; ++i) {
    for (Index k = i + 1; k < 15; ++k) {
      const Matrix pair = (Matrix(2, 2) << x.row(i), x.row(k)).finished();
      const Vector labels = (Vector(2) << y[i], y[k]).finished();
      least = std::min(least, problem.objective(testing::solve(pair, labels)));
    }
  }
  CHECK(solve_centrally(problem).value == Approx(least).epsilon(1e-12));  // both to rounding times the condition number
}

TEST_CASE("The logistic loss of one constant feature is minimal at the log odds") {
  const Vector y = (Vector(5) << 1, 1, -1, 1, 1).finished();
  const Optimum optimum = solve_centrally(
      make_problem(Matrix::Ones(5, 1), y, make_loss(LogisticOptions{}), make_regularizer(NoneOptions{})));
  CHECK(optimum.theta[0] == Approx(std::log(4.0)).epsilon(1e-14));  // Newton's method to rounding
}

TEST_CASE("Separable labels have no logistic minimizer without a regularizer, and the certificate says so") {
  const Matrix x = normal_matrix(30, 3, 4);
  const auto loss = make_loss(LogisticOptions{});
  Vector y = labels_for(*loss, x.col(0) - x.col(2));
  const Optimum complete = solve_centrally(make_problem(x, y, loss, make_regularizer(NoneOptions{})));
  CHECK(complete.certificate.kind == CertificateKind::no_minimizer);
  CHECK_FALSE(complete.certified());
  CHECK(solve_centrally(make_problem(x, y, loss, make_regularizer(L2Options{.weight = 0.01}))).certified());
}

TEST_CASE("Labels separable but for samples on the boundary have no logistic minimizer either") {
  // The first feature separates rows 0 to 3 and is 0 on rows 4 and 5, which hold the second one at a finite value.
  const Matrix x = (Matrix(6, 2) << 1, 0.3, 2, -1, -1, 0.7, -3, 0.1, 0, 1, 0, 2).finished();
  const Vector y = (Vector(6) << 1, 1, -1, -1, 1, -1).finished();
  const Optimum optimum =
      solve_centrally(make_problem(x, y, make_loss(LogisticOptions{}), make_regularizer(NoneOptions{})));
  CHECK(optimum.certificate.kind == CertificateKind::no_minimizer);
}

TEST_CASE("A dominant l1 weight gives exactly 0 for the smooth losses") {
  const Matrix x = normal_matrix(20, 6, 9);
  for (const auto& loss : all_losses()) {
    if (!loss->smoothness()) continue;
    const Vector y = labels_for(*loss, noisy_labels(x, 9));
    const double largest = (x.transpose() * loss->derivative(Vector::Zero(20), y)).lpNorm<Eigen::Infinity>() / 20;
    const auto at = [&](double weight) {
      return solve_centrally(make_problem(x, y, loss, make_regularizer(L1Options{.weight = weight}))).theta;
    };
    CHECK(at(largest * 1.001) == Vector::Zero(6));
    CHECK(at(largest * 0.99) != Vector::Zero(6));
  }
}

TEST_CASE("Sparse and dense storage of one matrix have one optimum") {
  Matrix x = normal_matrix(60, 25, 12);
  x = (x.array().abs() > 1.5).select(x, 0.0);  // about 13% are left
  for_all_pairs(x, noisy_labels(x, 12), 0.02, [&](const Problem& problem) {
    Problem sparse = problem;
    sparse.X = std::make_shared<const DataMatrix>(SparseMatrix(x.sparseView()));
    const Optimum a = solve_centrally(problem), b = solve_centrally(sparse);
    if (without_minimizer(problem, a)) return;
    CHECK(b.certificate.relative <= 1e-10);
    const double at_zero = problem.objective(Vector::Zero(25));
    CHECK(a.value == Approx(b.value).margin(2e-10 * at_zero).epsilon(0));  // both certificates
  });
}

TEST_CASE("Faces beyond the order of dense factorizations are solved by conjugate gradients") {
  // 3000 columns, each sample with 20 entries: Newton's method works on X itself.
  Draws draws(3, Purpose("sparse"));
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < 300; ++i) {
    for (int k = 0; k < 20; ++k) entries.emplace_back(i, static_cast<int>(draws.below(3000)), draws.normal());
  }
  SparseMatrix x(300, 3000);
  x.setFromTriplets(entries.begin(), entries.end());
  Vector y(300);
  for (double& label : y) label = draws.bernoulli(0.5) ? 1 : -1;
  for (const auto& r : all_regularizers(0.01)) {
    for (const auto& loss : all_losses()) {
      if (!loss->smoothness()) continue;
      CAPTURE(loss->kind(), *r->l1_weight(), *r->l2_weight());
      const Problem problem{std::make_shared<const DataMatrix>(x), y, 300, loss, r};
      const Optimum optimum = solve_centrally(problem);
      if (!without_minimizer(problem, optimum)) CHECK(optimum.certificate.relative <= 1e-10);
    }
  }
}

namespace {

/// The indicator of |theta| <= 1: a regularizer outside the elastic family.
class UnitBall final : public Regularizer {
 public:
  double value(VectorRef theta) const override {
    return theta.norm() <= 1 + 1e-12 ? 0 : std::numeric_limits<double>::infinity();
  }
  Vector prox(VectorRef q, double) const override { return q / std::max(1.0, q.norm()); }
  double conjugate(VectorRef q) const override { return q.norm(); }
};

}  // namespace

TEST_CASE(
    "A regularizer that only has a prox is solved by proximal gradients with a smooth loss, and not certified "
    "without") {
  const Matrix x = normal_matrix(30, 4, 1);
  const Vector y = noisy_labels(x, 1);
  const auto ball = std::make_shared<const UnitBall>();
  const Optimum optimum = solve_centrally(make_problem(x, y, make_loss(SquaredOptions{}), ball));
  CHECK(optimum.certificate.relative <= 1e-10);
  CHECK(optimum.theta.norm() == Approx(1).epsilon(1e-12));
  const Optimum unknown = solve_centrally(make_problem(x, y, make_loss(AbsoluteOptions{}), ball));
  CHECK(unknown.certificate.kind == CertificateKind::none);
  CHECK_FALSE(unknown.certified());
}

TEST_CASE("Norms of matrices and groups are solved to a duality gap of 1e-10, with every smooth loss") {
  const IterateShape shape = IterateShape::matrix(4, 3);
  for (const Index n : {40, 9}) {
    const Matrix x = normal_matrix(n, 12, 4);
    for (const double weight : {0.02, 0.3, 50.0})
      for (const auto& r : {make_regularizer(NuclearOptions{.weight = weight}, shape),
                            make_regularizer(GroupLassoOptions{.weight = weight}, shape)})
        for (const auto& loss : all_losses()) {
          if (!loss->smoothness()) continue;
          CAPTURE(n, weight, loss->kind());
          Problem problem = make_problem(x, labels_for(*loss, noisy_labels(x, 4)), loss, r);
          problem.shape = shape;
          const Optimum optimum = solve_centrally(problem);
          CHECK(optimum.certificate.kind == CertificateKind::duality_gap);
          CHECK(optimum.certified());
          CHECK(optimum.theta.isZero(0) == (weight == 50.0));
        }
  }
}

TEST_CASE("Softmax regression is solved to 1e-10 with any regularizer, and two classes are the logistic optimum") {
  const Matrix x = normal_matrix(60, 4, 5);
  const Vector classes = noisy_labels(x, 5).unaryExpr([](double v) { return v > 1 ? 2.0 : v > -0.5 ? 1.0 : 0.0; });
  const IterateShape shape = IterateShape::matrix(4, 3);
  std::vector<std::shared_ptr<const Regularizer>> all = all_regularizers(0.05);
  all.push_back(make_regularizer(NuclearOptions{.weight = 0.05}, shape));
  for (const auto& r : all) {
    Problem problem = make_problem(x, classes, make_loss(SoftmaxOptions{.classes = 3}), r);
    problem.shape = shape;
    const Optimum optimum = solve_centrally(problem);
    CAPTURE(name_of(optimum.certificate.kind), optimum.certificate.relative);
    CHECK(optimum.certified());
    CHECK(optimum.value == problem.objective(optimum.theta));
  }
  // Columns w and -w of an l2 norm: log(1 + exp(2 x'w)) with b |w|^2, logistic in 2 w with b / 2.
  const Vector y = noisy_labels(x, 5).cwiseSign(), zero_one = (y.array() + 1) / 2;
  const Optimum two = solve_centrally(
      make_problem(x, zero_one, make_loss(SoftmaxOptions{.classes = 2}), make_regularizer(L2Options{.weight = 0.1})));
  const Optimum logistic =
      solve_centrally(make_problem(x, y, make_loss(LogisticOptions{}), make_regularizer(L2Options{.weight = 0.05})));
  CHECK(two.value == Approx(logistic.value).epsilon(1e-10));  // both certificates
}

TEST_CASE("Hinge losses with a square norm are solved to a tiny gap for all weights, on wide and on large data") {
#ifdef LAGNET_SANITIZED
  constexpr std::pair<Index, Index> large{800, 320};  // of which 2000 x 800 would be minutes
#else
  constexpr std::pair<Index, Index> large{2000, 800};
#endif
  for (const auto& [n, d] : {std::pair<Index, Index>{300, 40}, {60, 200}, large}) {
    const Matrix x = normal_matrix(n, d, 6);
    for (const auto& loss : {make_loss(HingeOptions{}), make_loss(SmoothedHingeOptions{.gamma = 1})})
      for (const double weight : {1e-8, 1e-5, 1e-2}) {
        if (n == large.first && weight < 1e-3) continue;
        CAPTURE(n, d, loss->kind(), weight);
        const auto r = make_regularizer(L2Options{.weight = weight});
        const Optimum optimum = solve_centrally(make_problem(x, labels_for(*loss, noisy_labels(x, 6)), loss, r));
        CHECK(optimum.certificate.kind == CertificateKind::duality_gap);
        CHECK(optimum.certificate.relative <= 1e-10);
      }
  }
}

TEST_CASE("The hinge loss of two points is the widest margin between them") {
  // x and -x with the labels +1 and -1 hold y x'theta >= 1 with the least norm at theta = x / |x|^2.
  const Matrix x = (Matrix(2, 2) << 3, 4, -3, -4).finished();
  const Vector y = (Vector(2) << 1, -1).finished();
  const Optimum margin =
      solve_centrally(make_problem(x, y, make_loss(HingeOptions{}), make_regularizer(L2Options{.weight = 1e-3})));
  CHECK(margin.theta[0] == Approx(0.12).epsilon(1e-6));  // sqrt(2 gap F(0) / weight) with a gap of 1e-14
  CHECK(margin.value == Approx(1e-3 / 50).epsilon(1e-9));
  // A weight above that of the samples' pull leaves both within the margin: theta is the mean of y x over the weight.
  const Optimum inside =
      solve_centrally(make_problem(x, y, make_loss(HingeOptions{}), make_regularizer(L2Options{.weight = 100})));
  CHECK(inside.theta[0] == Approx(0.03).epsilon(1e-7));
  CHECK(inside.value == Approx(1 - 25.0 / 200).epsilon(1e-12));
}

/// The hinge loss of n rows of three entries of +-1 in n + 100 columns, each in three rows on average: a row alone has
/// the margin 3 / (n weight), so that some margins are beyond 1, most below, and a few, where columns meet, at 1.
Problem sparse_hinge(Index n, double weight) {
  SparseMatrix X(n, n + 100);
  Vector y(n);
  Draws draws(3, Purpose{"sparse hinge"});
  for (Index i = 0; i < n; ++i) {
    y[i] = draws.bernoulli(0.5) ? 1 : -1;
    for (const std::uint32_t j : draws.distinct(X.cols(), 3)) X.insert(i, j) = draws.bernoulli(0.5) ? 1 : -1;
  }
  X.makeCompressed();
  return {.X = std::make_shared<const DataMatrix>(X),
          .y = y,
          .samples = n,
          .loss = make_loss(HingeOptions{}),
          .regularizer = make_regularizer(L2Options{.weight = weight})};
}

/// A certified optimum of sparse_hinge with samples on both sides of the kink and some at it.
void check_sparse_hinge(const Optimum& found, const Problem& problem) {
  CHECK(found.certificate.kind == CertificateKind::duality_gap);
  CHECK(found.certificate.relative < 1e-12);
  CHECK(found.value < problem.objective(Vector::Zero(problem.X->cols())));
  const Vector margins = problem.y.cwiseProduct(problem.X->times(found.theta));
  const auto at_kink = ((margins.array() - 1).abs() < 1e-6).count();
  CHECK(at_kink > 10);
  CHECK(at_kink < problem.samples / 2);
  CHECK((margins.array() > 1.01).any());
  CHECK((margins.array() < 0.99).any());
}

TEST_CASE("near its kink the hinge loss has the optimum of a dense system") {
  for (const double share : {3.66, 2.44}) {
    const Problem problem = sparse_hinge(300, share / 300);
    const Optimum near = solve_piecewise_linear(problem, 100), dense = solve_piecewise_linear(problem);
    CHECK(near.certificate.method == "interior point method on the samples near the kink");
    CHECK(dense.certificate.method == "interior point method");
    check_sparse_hinge(near, problem);
    CHECK(near.value == Approx(dense.value).epsilon(2e-12));  // two gaps of at most 1e-12
  }
}

TEST_CASE("the hinge loss of more samples and features than a dense system takes is solved near its kink", "[slow]") {
  for (const double weight : {6e-4, 4e-4}) {
    const Problem problem = sparse_hinge(6100, weight);
    check_sparse_hinge(solve_centrally(problem), problem);
  }
}

}  // namespace lagnet::solve_centrally_test
