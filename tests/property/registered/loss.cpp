#include "algorithms/objectives/loss.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "algorithms/objectives/absolute.hpp"
#include "algorithms/objectives/huber.hpp"
#include "algorithms/objectives/logistic.hpp"
#include "algorithms/objectives/squared.hpp"
#include "sim/draws.hpp"

namespace lagnet::loss_test {

namespace {

std::vector<std::shared_ptr<const Loss>> all_losses() {
  return {make_loss(SquaredOptions{}), make_loss(LogisticOptions{}), make_loss(HuberOptions{.threshold = 0.7}),
          make_loss(HuberOptions{.threshold = 3}), make_loss(AbsoluteOptions{})};
}

std::vector<double> labels_of(const Loss& loss) {
  if (loss.label_problem(0.3)) return {-1, 1};
  return {-2.5, 0, 1, 4};
}

/// Scores on both sides of every label, none of them a kink of a loss above.
std::vector<double> some_scores() { return {-30.1, -5.3, -1.11, -0.37, 0.21, 0.93, 2.17, 6.4, 33.3}; }

template <class Body>
void for_all(Body body) {
  for (const auto& loss : all_losses()) {
    for (const double y : labels_of(*loss)) {
      CAPTURE(loss->kind(), y);
      body(*loss, y);
    }
  }
}

/// A minimizer of a convex function on [low, high] by golden section; off by the square root of rounding.
template <class Function>
double golden_section(Function f, double low, double high) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  for (int step = 0; step < 120; ++step) {
    if (f(a) <= f(b)) {
      high = b;
      b = a;
      a = high - ratio * (high - low);
    } else {
      low = a;
      a = b;
      b = low + ratio * (high - low);
    }
  }
  return (low + high) / 2;
}

}  // namespace

TEST_CASE("The derivative of every loss is the slope of its value") {
  for_all([](const Loss& loss, double y) {
    for (const double a : some_scores()) {
      const double h = 1e-5;
      const double slope = (loss.value(a + h, y) - loss.value(a - h, y)) / (2 * h);
      // Central differences: h^2/6 times a third derivative of at most 1/10, and rounding of two values below 700.
      CHECK(loss.derivative(a, y) == Approx(slope).margin(3e-8).epsilon(0));
    }
  });
}

TEST_CASE("The curvature of every loss is the slope of its derivative") {
  for_all([](const Loss& loss, double y) {
    for (const double a : some_scores()) {
      const double h = 1e-5;
      const double slope = (loss.derivative(a + h, y) - loss.derivative(a - h, y)) / (2 * h);
      // As above, with derivatives of at most 40.
      CHECK(loss.curvature(a, y) == Approx(slope).margin(1e-9).epsilon(0));
    }
  });
}

TEST_CASE("Value and conjugate obey Fenchel and Young, with equality at the derivative") {
  for_all([](const Loss& loss, double y) {
    for (const double a : some_scores()) {
      const double at = loss.derivative(a, y);
      const double size = loss.value(a, y) + std::abs(at * a) + 1;
      // The conjugate cancels terms of the size of lam a; the logistic one has 1 - p where p may be within 1e-13 of 1.
      CHECK(loss.value(a, y) + loss.conjugate(at, y) == Approx(at * a).margin(1e-14 * size).epsilon(0));
      for (const double lam : {-2.9, -0.99, -0.5, -0.01, 0.0, 0.02, 0.6, 0.999, 2.5}) {
        CHECK(loss.value(a, y) + loss.conjugate(lam, y) >= lam * a - 1e-14 * size);
      }
    }
  });
}

TEST_CASE("The conjugate of every loss is convex") {
  for_all([](const Loss& loss, double y) {
    for (double left = -3.5; left < 3.5; left += 0.25) {
      for (double right = left + 0.25; right <= 3.5; right += 0.25) {
        const double ends = (loss.conjugate(left, y) + loss.conjugate(right, y)) / 2;
        // Sums of at most five terms below 20.
        CHECK(loss.conjugate((left + right) / 2, y) <= ends + 1e-14);
      }
    }
  });
}

TEST_CASE("The prox of the conjugate of every loss satisfies its optimality condition") {
  for_all([](const Loss& loss, double y) {
    for (const double c : {1e-3, 0.3, 1.0, 40.0}) {
      for (const double u : {-50.0, -1.3, -0.4, 0.0, 0.35, 0.8, 1.7, 60.0}) {
        CAPTURE(c, u);
        const double lam = loss.prox_conjugate(u, y, c);
        // lam - u + c s = 0 with s a subgradient of l* at lam, that is with lam a subgradient of l at s = (u - lam) /
        // c. s carries the rounding of u / c, at most 1e-16 * 6e4, and lam follows s with the slope 1 of the steepest
        // loss.
        const double s = (u - lam) / c;
        CHECK(loss.derivative(s - 1e-9 * (1 + std::abs(s)), y) <= lam + 1e-8 * (1 + std::abs(s)));
        CHECK(loss.derivative(s + 1e-9 * (1 + std::abs(s)), y) >= lam - 1e-8 * (1 + std::abs(s)));
      }
    }
  });
}

TEST_CASE("The prox of the conjugate of every loss is the minimizer that a search finds") {
  for_all([](const Loss& loss, double y) {
    const bool bounded = loss.lipschitz().has_value();
    // The domain of l* lies within the Lipschitz constant; the logistic one is half of that.
    const double rho = bounded ? *loss.lipschitz() : 100;
    const bool half = loss.kind() == "logistic";
    const double low = half && y > 0 ? -1 : half ? 0 : -rho, high = half && y > 0 ? 0 : rho;
    for (const double c : {0.01, 0.7, 25.0}) {
      for (const double u : {-7.0, -0.6, 0.1, 0.9, 3.0}) {
        CAPTURE(c, u);
        const auto f = [&](double lam) { return c * loss.conjugate(lam, y) + (lam - u) * (lam - u) / 2; };
        const double lam = loss.prox_conjugate(u, y, c);
        // f is 1-strongly convex and at most 2e5, so golden section ends within sqrt(2 * 1e-16 * 2e5) of the minimizer.
        CHECK(lam == Approx(golden_section(f, low, high)).margin(1e-5).epsilon(0));
        for (int k = 0; k <= 1000; ++k) {
          const double value = f(low + (high - low) * k / 1000);
          CHECK(f(lam) <= value + 1e-14 * (1 + std::abs(value)));  // a few roundings each
        }
      }
    }
  });
}

TEST_CASE("Every loss keeps the Lipschitz constants that it states") {
  for_all([](const Loss& loss, double y) {
    for (double a = -20; a <= 20; a += 0.01) {
      const double slope = std::abs(loss.derivative(a, y));
      // One rounding on each side.
      if (loss.lipschitz()) CHECK(slope <= *loss.lipschitz() * (1 + 1e-15));
      if (loss.sqrt_lipschitz()) CHECK(slope <= *loss.sqrt_lipschitz() * std::sqrt(loss.value(a, y)) * (1 + 1e-14));
      if (loss.smoothness()) CHECK(loss.curvature(a, y) <= *loss.smoothness());
    }
    CHECK((loss.lipschitz() || loss.sqrt_lipschitz()));
  });
}

TEST_CASE("The vector forms of every loss are sums and lists of its scalar forms") {
  Draws draws(7, Purpose("scores"));
  for (const auto& loss : all_losses()) {
    CAPTURE(loss->kind());
    const auto labels = labels_of(*loss);
    Vector a(50), y(50);
    double total = 0, total_conjugate = 0;
    for (Index i = 0; i < 50; ++i) {
      a[i] = 3 * draws.normal();
      y[i] = labels[static_cast<std::size_t>(i) % labels.size()];
      total += loss->value(a[i], y[i]);
      total_conjugate += loss->conjugate(loss->derivative(a[i], y[i]), y[i]);
    }
    CHECK(loss->total(a, y) == total);  // the same additions in the same order
    CHECK(loss->total_conjugate(loss->derivative(a, y), y) == total_conjugate);
    Vector lam = a;
    loss->prox_conjugate(lam, y, 0.25);
    const Vector curvature = loss->curvature(a, y);
    for (Index i = 0; i < 50; ++i) {
      CHECK(lam[i] == loss->prox_conjugate(a[i], y[i], 0.25));
      CHECK(curvature[i] == loss->curvature(a[i], y[i]));
    }
  }
}

}  // namespace lagnet::loss_test
