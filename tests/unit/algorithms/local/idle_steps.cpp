#include "algorithms/local/idle_steps.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/objectives/soft_threshold.hpp"

namespace lagnet::idle_steps_test {

TEST_CASE("steps at once end where as many single steps end, on either side of the threshold and across it") {
  const double Lam = 0.3, tau = 2.5, P = Lam + 1 / tau;
  std::vector<double> powers{1};
  for (int m = 1; m <= 60; ++m) powers.push_back(powers.back() / (tau * P));
  for (const double t : {0.05, 0.7})
    for (const double s : {-3.0, -0.8, -0.7, -0.02, 0.0, 0.03, 0.7, 1.2})
      for (const double start : {-40.0, -1.0, -1e-3, 0.0, 2e-3, 0.9, 25.0}) {
        const IdleSteps idle{.tau = tau, .Lam = Lam, .t = t, .powers = powers};
        double x = start;
        for (std::size_t m = 1; m <= 60; ++m) {
          const double last = x;
          x = soft_threshold(x / tau + s, t) / P;
          const auto [at_once, before] = idle.after(m, start, s);
          CAPTURE(t, s, start, m);
          // Sixty contractions keep a rounding of the start's size, and lose none.
          CHECK(std::abs(at_once - x) <= 1e-14 * std::max(1.0, std::abs(start)));
          CHECK(std::abs(before - last) <= 1e-14 * std::max(1.0, std::abs(start)));
        }
      }
}

}  // namespace lagnet::idle_steps_test
