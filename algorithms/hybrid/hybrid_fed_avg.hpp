#pragma once

#include "algorithms/hybrid/hybrid_primal.hpp"

/// Federated averaging where clients differ in samples and in features.
///
///     minimize over w   P(w) = (lambda/2) ||w||^2 + (1/N) sum_i l_i(w'x_i)
///
/// A client starts from w0 on its features and takes H steps with one sample each, w_k -= lr (l_i'(w_k'x_{k,i}) x_{k,i}
/// + lambda w_k); the inner product covers its part of the sample only. The server takes the plain mean of each
/// feature. If features are partitioned, the method does not converge to the minimizer of P. Source: T. Overman, G.
/// Blum, D. Klabjan, arXiv:2210.08106v3, section 7, after McMahan et al. 2017.
namespace lagnet {

struct HybridFedAvgOptions : HybridPrimalOptions {
  static constexpr std::string_view kind = "hybrid_fed_avg";
  static constexpr std::string_view summary = "federated averaging where clients have parts of samples";
};

class HybridFedAvg final : public HybridPrimal {
 public:
  HybridFedAvg(const HybridFedAvgOptions& options, MethodInput input)
      : HybridPrimal(HybridFedAvgOptions::kind, options, std::move(input)) {}

 private:
  void descend(const Local& now, StateVector& w) const override;
  Flops step_flops(Index m) const override { return 2 * m + 5; }
};

}  // namespace lagnet
