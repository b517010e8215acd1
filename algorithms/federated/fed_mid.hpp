#pragma once

#include <array>

#include "algorithms/federated/bases/averaging.hpp"

/// Federated mirror descent (FedMiD): federated averaging of proximal gradient steps.
///
///     minimize over |w| <= rho   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples
///
/// Each client of a round takes E local steps x <- P1(x - eta_c grad L_k(x), eta_c), P1 the prox within the ball
/// (ball_prox.hpp), and sends its change; the server moves by the mean change and applies P1 once more, by default with
/// the step eta_s eta_c E. So the regularizer counts twice: with one client, full batches, eta_s = 1 and E = 1 the
/// limit is the minimizer for 2 r. eta_c must be below 2/L, L that of a client. Averaging sparse models leaves many
/// small coefficients that are not zero. Source: Yuan, Zaheer, Reddi, "Federated composite optimization", 2021, with
/// the step of the server's prox as in their code.
namespace lagnet {

enum class ServerProx { steps, single, none };
constexpr auto spellings(ServerProx) {
  return std::array{Spelling{ServerProx::steps, "steps"}, Spelling{ServerProx::single, "single"},
                    Spelling{ServerProx::none, "none"}};
}

struct FedMidOptions : AveragingOptions {
  static constexpr std::string_view kind = "fed_mid";
  static constexpr std::string_view summary = "averaging of local proximal steps, mirror descent (Yuan et al. 2021)";
  static constexpr AlgorithmTraits traits = with_square(AveragingOptions::traits, SquareStands::in_prox);
  ServerProx server_prox = ServerProx::steps;
  std::optional<double> rho = {};
  static void fields(auto& self, auto& field) {
    declare_averaging(self, field);
    field("server_prox", self.server_prox,
          "step of the server's prox: steps (eta_s eta_c E), single (eta_s eta_c) or none (no regularizer there)");
    declare_rho(self, field);
    declare_weights(self, field);
  }
};

class FedMid final : public AveragingMethod {
 public:
  /// Throws Diagnosed if the start is not in the ball.
  FedMid(const FedMidOptions& options, MethodInput given);

 private:
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;

  double server_step_ = 0;  // s, step of the server's prox
  Flops server_prox_flops_ = 0;
};

}  // namespace lagnet
