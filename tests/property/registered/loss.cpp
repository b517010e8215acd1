#include "algorithms/objectives/loss.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "scenarios/format/kinds/problem_kinds.hpp"
#include "sim/base/draws.hpp"
#include "tests/property/registered/with_registered.hpp"

namespace lagnet::loss_test {

namespace {

using Case = test::Registered<std::shared_ptr<const Loss>>;

std::vector<Case> all_losses() {
  const Vector labels{{0, 1, 2}};
  return test::with_registered<LossFamily>(
      std::vector<Case>{{"huber", "huber, 0.7", make_loss(HuberOptions{.threshold = 0.7})},
                        {"huber", "huber, 3", make_loss(HuberOptions{.threshold = 3})},
                        {"smoothed_hinge", "smoothed hinge, 1", make_loss(SmoothedHingeOptions{.gamma = 1})},
                        {"smoothed_hinge", "smoothed hinge, 0.4", make_loss(SmoothedHingeOptions{.gamma = 0.4})}},
      labels);
}

std::vector<double> labels_of(const Loss& loss) {
  if (loss.label_problem(0.3)) return {-1, 1};
  return {-2.5, 0, 1, 4};
}

/// Scores on both sides of every label, none of them a kink of a loss above.
std::vector<double> some_scores() { return {-30.1, -5.3, -1.11, -0.37, 0.21, 0.93, 2.17, 6.4, 33.3}; }

struct Ends {
  double low, high;
};

/// Within the Lipschitz constant, and the half of that for losses of two classes; an interval that is large enough
/// where there is none.
Ends domain_of_conjugate(const Loss& loss, double y) {
  const double rho = loss.lipschitz().value_or(100);
  const bool half = loss.label_problem(0.3).has_value();
  return {half && y < 0 ? 0 : -rho, half && y > 0 ? 0 : rho};
}

template <class Body>
void for_all(Body body) {
  for (const auto& [kind, name, loss] : all_losses()) {
    if (loss->outputs() > 1) continue;  // no forms of one score
    for (const double y : labels_of(*loss)) {
      CAPTURE(name, y);
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
    const auto [low, high] = domain_of_conjugate(loss, y);
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

TEST_CASE("The coordinate step of dual ascent is the maximizer that a search finds") {
  for_all([](const Loss& loss, double y) {
    const auto [low, high] = domain_of_conjugate(loss, y);
    for (const double q : {0.02, 0.7, 25.0, 400.0}) {
      for (const double p : {-7.0, -0.6, 0.1, 0.9, 3.0}) {
        for (const double start : {0.0, 0.3, 1.0}) {
          CAPTURE(q, p, start);
          const double alpha = -(low + high) / 2 + start * (high - low) / 2;
          const auto f = [&](double a) { return loss.conjugate(-a, y) + a * p + q / 2 * (a - alpha) * (a - alpha); };
          const double a = loss.dual_step(alpha, p, y, q);
          // f is q-strongly convex and at most 2e6 where |a| may be 100: sqrt(2 * 1e-16 * 2e6 / q) with q = 0.02; at
          // most 1e3 otherwise.
          const double margin = high - low > 100 ? 2e-4 : 5e-6;
          CHECK(a == Approx(golden_section(f, -high, -low)).margin(margin).epsilon(0));
          for (int k = 0; k <= 1000; ++k) {
            const double value = f(-high + (high - low) * k / 1000);
            CHECK(f(a) <= value + 1e-14 * (1 + std::abs(value)));  // a few roundings each
          }
        }
      }
    }
  });
}

TEST_CASE("The coordinate step of dual ascent agrees with the prox of the conjugate") {
  for_all([](const Loss& loss, double y) {
    for (const double q : {0.1, 1.0, 30.0}) {
      for (const double p : {-3.0, -0.2, 0.4, 1.5}) {
        for (const double b : {0.01, 0.5, 0.93}) {
          CAPTURE(q, p, b);
          const double alpha = y < 0 ? -b : b;
          // The default form divides p by q and multiplies the prox's residual by it: roundings of 1e-16 * 30 * 10.
          CHECK(loss.dual_step(alpha, p, y, q) ==
                Approx(loss.Loss::dual_step(alpha, p, y, q)).margin(5e-14).epsilon(0));
        }
      }
    }
  });
}

TEST_CASE("The coordinate steps stay accurate for tiny and for huge q") {
  for (const double y : {-1.0, 1.0}) {
    const auto hinge = make_loss(HingeOptions{}), smoothed = make_loss(SmoothedHingeOptions{.gamma = 0.5});
    const auto logistic = make_loss(LogisticOptions{}), squared = make_loss(SquaredOptions{});
    // Without the quadratic term each maximizes on its own: -l' there; where the hinge is flat it stays.
    CHECK(hinge->dual_step(0.3 * y, 0.5 * y, y, 0) == y);
    CHECK(hinge->dual_step(0.3 * y, 2 * y, y, 0) == 0);
    CHECK(hinge->dual_step(0.3 * y, y, y, 0) == 0.3 * y);
    CHECK(smoothed->dual_step(0.3 * y, 0.75 * y, y, 0) == 0.5 * y);
    CHECK(logistic->dual_step(0.3 * y, 0, y, 0) == 0.5 * y);
    CHECK(squared->dual_step(0.3 * y, 0.75 * y, y, 0) == 0.25 * y);
    for (const double q : {1e-300, 1e-30, 1e-9}) {
      CHECK(hinge->dual_step(0.3 * y, 0.5 * y, y, q) == y);
      for (const auto& loss : {smoothed, logistic, squared}) {
        // The maximizer moves by at most q times the largest slope of the step in p, 2, and a rounding.
        CHECK(loss->dual_step(0.3 * y, 0.6 * y, y, q) ==
              Approx(loss->dual_step(0.3 * y, 0.6 * y, y, 0)).margin(2 * q + 2e-16).epsilon(0));
      }
    }
    for (const double q : {1e3, 1e6, 1e9, 1e15}) {
      CAPTURE(y, q);
      for (const auto& loss : {hinge, smoothed, logistic, squared}) {
        CAPTURE(loss->kind());
        for (const double b : {1e-12, 0.25, 0.75}) {
          // q (a - alpha) = -l*'(-a) - p; a is within 10 / q of alpha, where l*' is l*'(-alpha) but for its slope (at
          // most 1 / b) over q; and a few roundings of numbers below 1.
          const double move = loss->dual_step(b * y, 0.2 * y, y, q) - b * y;
          const double slope = loss->kind() == "hinge"            ? 0.8
                               : loss->kind() == "smoothed_hinge" ? 0.8 - 0.5 * b
                               : loss->kind() == "squared"        ? 0.8 - b
                                                                  : std::log((1 - b) / b) - 0.2;
          if (b == 1e-12 && loss->kind() == "logistic") continue;
          CHECK(y * move == Approx(slope / q).margin(10 / (q * q) + 5e-16).epsilon(0));
        }
      }
    }
  }
}

TEST_CASE("The logistic coordinate step solves its equation for all magnitudes and near the ends") {
  const auto loss = make_loss(LogisticOptions{});
  for (const double y : {-1.0, 1.0})
    for (double q = 1e-12; q < 1e12; q *= 7)
      for (const double b : {0.0, 1e-300, 1e-9, 0.3, 0.5, 0.9, 1 - 1e-9, 1.0})
        for (const double p : {-50.0, -3.0, 0.0, 0.7, 30.0}) {
          const double next = y * loss->dual_step(b * y, p * y, y, q);
          CAPTURE(y, q, b, p, next);
          REQUIRE(next >= 0);
          REQUIRE(next <= 1);
          // ln((1 - b') / b') - p - q (b' - b) falls through 0 within the relative error of b', that of its log odds of
          // up to 50 after a few roundings of terms of that size; near 1 within roundings of b' itself.
          const auto slope = [&](double x) {
            const double odds = x <= 0   ? std::numeric_limits<double>::infinity()
                                : x >= 1 ? -std::numeric_limits<double>::infinity()
                                         : std::log((1 - x) / x);
            return odds - p - q * (x - b);
          };
          const double below = std::min(next * (1 - 1e-13), next - 4e-16 * (next > 0.5));
          const double above = std::max(next * (1 + 1e-13), next + 4e-16 * (next > 0.5));
          CHECK(slope(below) >= 0);
          CHECK(slope(std::min(above, 1.0)) <= 0);
        }
}

TEST_CASE("The vector forms of every loss are sums and lists of its scalar forms") {
  Draws draws(7, Purpose("scores"));
  for (const auto& [kind, name, loss] : all_losses()) {
    if (loss->outputs() > 1) continue;  // no scalar forms
    CAPTURE(name);
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

namespace {

/// Six samples with labels of the loss, and scores of size 2, none of them a kink: body(loss, scores, other scores, y).
template <class Body>
void for_all_samples(Body body) {
  for (const auto& [kind, name, loss] : all_losses())
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      CAPTURE(name, seed);
      Draws draws(seed, Purpose("samples"));
      Vector y(6), a(6 * loss->outputs()), b(a.size());
      const std::vector<double> labels = loss->outputs() > 1 ? std::vector<double>{0, 1, 2} : labels_of(*loss);
      for (double& label : y) label = labels[draws.below(labels.size())];
      for (double& score : a) score = 2 * draws.normal();
      for (double& score : b) score = 2 * draws.normal();
      body(*loss, a, b, y);
    }
}

}  // namespace

TEST_CASE("Over samples the derivative of every loss is the slope of its total, with one score or several") {
  for_all_samples([](const Loss& loss, const Vector& a, const Vector&, const Vector& y) {
    const Vector slope = loss.derivative(a, y);
    REQUIRE(slope.size() == a.size());
    for (Index i = 0; i < a.size(); ++i) {
      const double h = 1e-6;
      Vector above = a, below = a;
      above[i] += h;
      below[i] -= h;
      // Rounding of two sums below 200 over 2 h; h^2 / 6 times a third derivative below 10 is less.
      CHECK(slope[i] == Approx((loss.total(above, y) - loss.total(below, y)) / (2 * h)).margin(1e-7).epsilon(0));
    }
  });
}

TEST_CASE("Over samples total and conjugate obey Fenchel and Young, with equality at the derivative") {
  for_all_samples([](const Loss& loss, const Vector& a, const Vector& b, const Vector& y) {
    const Vector lam = loss.derivative(a, y);
    const double conjugate = loss.total_conjugate(lam, y);
    const double size = loss.total(a, y) + std::abs(lam.dot(a)) + std::abs(conjugate) + 1;
    CHECK(loss.total(a, y) + conjugate == Approx(lam.dot(a)).margin(1e-12 * size).epsilon(0));
    CHECK(loss.total(b, y) + conjugate >= lam.dot(b) - 1e-12 * (size + loss.total(b, y) + std::abs(lam.dot(b))));
  });
}

TEST_CASE("Over samples the derivative of a smooth loss changes by no more than its smoothness says") {
  for_all_samples([](const Loss& loss, const Vector& a, const Vector& b, const Vector& y) {
    if (!loss.smoothness()) return;
    CHECK((loss.derivative(a, y) - loss.derivative(b, y)).norm() <= *loss.smoothness() * (a - b).norm() * (1 + 1e-12));
  });
}

}  // namespace lagnet::loss_test
