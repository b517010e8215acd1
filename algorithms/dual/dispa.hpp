#pragma once

#include "algorithms/dual/saddle.hpp"

/// DiSPA, a distributed saddle point method.
///
///     minimize over x, maximize over y   (1/n) sum_i ( y_i a_i'x - phi_i*(y_i) ) + g(x)                         (4)
///
/// In a round each of K machines moves its dual variables y_[k] towards the saddle point of a local problem,
///
///     (1/n) sum_j ( y_j a_j'x - phi_j*(y_j) ) + g(x) + (1/n) v_{-k}'x + |x - x_old|^2 / (2 tau)
///       - K |y_[k] - y_[k],old|^2 / (2 sigma n),                                                                 (5)
///
/// and sends v_k = A_k'y_[k]. The center adds up v and finds x in closed form (6). With tau sigma = 1 / (4 R^2), R the
/// largest norm of a sample, sigma > 1 / (2 K gamma), balanced shards and exact local solutions, the distance to the
/// saddle point shrinks by Theta = max{1 / (1 + sigma gamma / K - 1 / (2 K^2)), 1 / (1 + tau lambda)} in a round
/// (Lemma 1); in practice tau and sigma are tuned, and larger. g(x) is (lambda/2) |x|^2 + a |x|_1. Losses that are not
/// smooth, gamma = 0, and a g without a square norm need the perturbation eps (8). Source: Yu, Liu, Pan,
/// "Communication-Efficient Distributed Primal-Dual Algorithm for Saddle Point Problems", Algorithm 1.
///
/// A message to a machine is (x, v), 2 d numbers; its answer is v_k, d numbers. A lean message is v alone, from which
/// the machine computes x; a machine that has missed a round gets both. A silent machine counts with its last answer.
namespace lagnet {

struct DispaOptions : SaddleOptions {
  static constexpr std::string_view kind = "dispa";
  static constexpr std::string_view summary = "distributed saddle point method, DiSPA (Yu, Liu, Pan 2017)";
};

class Dispa final : public SaddleMethod {
 public:
  /// Throws Diagnosed for options that do not go with each other or with the problem.
  Dispa(const DispaOptions& options, MethodInput given)
      : SaddleMethod(DispaOptions::kind, options, 0, {}, std::move(given)) {}
};

}  // namespace lagnet
