#pragma once

#include <limits>

#include "algorithms/objectives/scaled_norm.hpp"

/// Proximal maps within balls. Shapes: v, c and w are whole iterates (d); rho, the radius of the Euclidean ball around
/// 0, may be infinite.
namespace lagnet {

constexpr double no_ball = std::numeric_limits<double>::infinity();

/// P1: argmin (1/2)|w - v|^2 + step r(w) subject to |w| <= rho, for r a multiple of a norm, a squared Euclidean norm or
/// a sum of both: the prox, scaled back into the ball, since the ball's multiplier scales v alone. step = 0 leaves r
/// out.
Vector prox_in_ball(const Regularizer& r, VectorRef v, double step, double rho);

/// The flops billed for P1: the prox, and 3 d more with a ball.
Flops prox_in_ball_flops(const Regularizer& r, Index d, double rho);

enum class BallRule {
  exact,
  shortcut  // P1 without the Euclidean ball, then projected on the ball around c: not the minimizer where that binds
};

/// R(w - c) <= epsilon, for the norm R of a regularizer; epsilon may be infinite.
struct NormBall {
  const Vector& c;  // must outlive the call
  double epsilon;
};

struct BallProx {
  Vector w;
  Flops extra = 0;       // beyond prox_in_balls_flops(): where the ball around c binds
  Index iterations = 0;  // of the iterative solver
  double gap = 0;        // its duality gap, at least |w - exact|^2 / 2
  bool is_found = true;  // false if its steps ended outside of the ball or with a gap above 1e-12 (1 + |v|^2)
};

/// P2: argmin (1/2)|w - v|^2 + step r(w) subject to R(w - c) <= epsilon and |w| <= rho, where |c| <= rho. Where P1 is
/// in the ball around c, it is P1. Else, for an l1 norm, exact: the minimizer is piecewise linear in the multiplier of
/// the ball around c, whose break points are sorted and searched, in O(d log d), with bisection in the multiplier of
/// the Euclidean ball if that binds as well. For other norms by ADMM with a certificate.
BallProx prox_in_balls(const ScaledNorm& r, VectorRef v, double step, NormBall ball, double rho,
                       BallRule rule = BallRule::exact);

/// The same by ADMM, whatever the norm: w <- P1((v + u - y)/2, tau/2), u <- c + projection of w + y - c on R <=
/// epsilon, y <- y + w - u, until both |w - u| and the step of u are at most 1e-13 (1 + |w|), 20000 steps at most.
BallProx prox_in_balls_by_admm(const ScaledNorm& r, VectorRef v, double step, NormBall ball, double rho);

/// The flops billed for P2. If the ball around c does not bind: those of P1, 2 d for the check and, for a nuclear norm,
/// another singular value decomposition. If it binds: 16 d log2(4 d) more for an l1 norm, 2 proxes and 6 d more for
/// each step of ADMM.
Flops prox_in_balls_flops(const ScaledNorm& r, Index d, double rho);

}  // namespace lagnet
