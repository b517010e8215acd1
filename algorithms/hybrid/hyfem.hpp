#pragma once

#include "algorithms/hybrid/hybrid_primal.hpp"

/// HyFEM in its linear form: each client keeps a model of its own, which is pulled to the server's.
///
///     w_k -= lr_t (l_i'(x_{k,i}'w_k) x_{k,i} + lambda w_k + mu (w_k - w0|M_k)),   lr_t = a / (b + sqrt t)
///
/// for H samples i of client k, with w0 as it was at the start of the iteration; then the server takes the plain mean
/// for each feature. It needs lr_t (lambda + mu + curvature ||x||^2) < 2. What it minimizes is a matching objective,
/// not P, so that its relative loss has a floor. Sources: X. Zhang, W. Yin, M. Hong, T. Chen, "Hybrid Federated
/// Learning: Algorithms and Implementation", arXiv:2012.12420; T. Overman, G. Blum, D. Klabjan, arXiv:2210.08106v3,
/// section 7.
namespace lagnet {

struct HyfemOptions : HybridPrimalOptions {
  static constexpr std::string_view kind = "hyfem";
  static constexpr std::string_view summary = "hybrid federated matched averaging, linear form (Zhang et al. 2020)";
  double mu = 0;
  static void fields(auto& self, auto& field) {
    HybridPrimalOptions::fields(self, field);
    field("mu", self.mu, "weight of the distance to the server's model", at_least(0).required());
  }
};

class Hyfem final : public HybridPrimal {
 public:
  Hyfem(const HyfemOptions& options, MethodInput input);

 private:
  void descend(const Local& now, StateVector& w) const override;
  Flops step_flops(Index m) const override { return 5 * m + 5; }

  double mu_;  // weight of the distance to w0
};

}  // namespace lagnet
