#pragma once

#include <cstddef>
#include <vector>

namespace lagnet {

/// What a coordinate of SPDC's x does while no sample changes it: x+ = S_t(x / tau + s) / P, P = Lam + 1 / tau, S_t the
/// soft threshold. The map does not fall as x rises, so that the x of all steps are monotone; on either side of the
/// threshold it is affine, x+ = f + A (x - f) with f = (s - t) / Lam or (s + t) / Lam and A = 1 / (tau P), and between
/// it is 0. So many steps at once take a few powers of A instead of a loop.
struct IdleSteps {
  double tau, Lam, t;                 // > 0
  const std::vector<double>& powers;  // A^m, for as many m as steps are asked for

  struct State {
    double x = 0, last = 0;  // after the steps, and before the last of them
  };
  /// After m steps, m >= 1.
  State after(std::size_t m, double x, double s) const;

 private:
  /// How many of the next m steps are affine with this f, all of them starting on this side of the threshold: at least
  /// one, the present one.
  std::size_t steps_on_side(double side, double x, double f, double s, std::size_t m) const;
};

}  // namespace lagnet
