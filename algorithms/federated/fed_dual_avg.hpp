#pragma once

#include "algorithms/federated/bases/averaging.hpp"

/// Federated dual averaging (FedDA, there FedDualAvg).
///
///     minimize over |w| <= rho   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples
///
/// The server averages duals z, not models; wherever a model is needed, the prox is applied to the dual: in round r =
/// 0, 1, .. a client takes from z_k = z the local steps x = P1(z_k, eta(r, j)), z_k <- z_k - eta_c grad L_k(x), eta(r,
/// j) = eta_s eta_c r E + eta_c j, P1 the prox within the ball (ball_prox.hpp), and sends z_k - z. After the round the
/// model is P1(z, eta_s eta_c (r + 1) E). So models have exact zeros. The very first local step has no threshold. With
/// clients that differ and E > 1 the limit is off the minimizer by the order of eta_c. eta_c must be below 2/L, L that
/// of a client. Source: Yuan, Zaheer, Reddi, "Federated composite optimization", 2021, with z = w_0 at the start.
///
/// A request is z, an answer z_k - z: d numbers each. The round's number is a header, not payload.
namespace lagnet {

struct FedDualAvgOptions : AveragingOptions {
  static constexpr std::string_view kind = "fed_dual_avg";
  static constexpr std::string_view summary = "federated dual averaging of local steps, FedDA (Yuan et al. 2021)";
  static constexpr AlgorithmTraits traits = with_square(AveragingOptions::traits, SquareStands::in_prox);
  std::optional<double> rho = {};
  static void fields(auto& self, auto& field) {
    declare_averaging(self, field);
    declare_rho(self, field);
    declare_weights(self, field);
  }
};

class FedDualAvg final : public AveragingMethod {
 public:
  /// Throws Diagnosed if the start is not in the ball.
  FedDualAvg(const FedDualAvgOptions& options, MethodInput given)
      : AveragingMethod(FedDualAvgOptions::kind, options, std::move(given), options.rho) {}

 private:
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;
  double eta_E() const { return eta_s() * eta_c() * static_cast<double>(E()); }
};

}  // namespace lagnet
