#pragma once

#include <array>
#include <variant>

#include "algorithms/federated/bases/client_steps.hpp"
#include "algorithms/federated/bases/server_update.hpp"

/// FedNova: normalized averaging of clients that take different numbers of local steps.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, pi_k = n_k / n
///     unless given
///
/// In a round the server sends w to the clients that take part, and those whose answers come in time, A, have the
/// weights q_k = pi_k / sum_A pi_j. A client takes tau_k steps from x = w, with u = 0, c = a = 0 before:
///
///     u <- rho u + g,   x <- x - eta_c (u + mu (x - w)),   g the gradient of L_k + r at x on a minibatch        (3.1)
///     c <- rho c + 1,   a <- (1 - eta_c mu) a + c                                                               (3.2)
///     w <- w + eta_s tau_eff sum_A q_k d_k, d_k = (x_k - w) / a_k, tau_eff = sum_A q_k a_k at the server        (3.3)
///
/// a_k is how often gradients of the client count, with the momentum rho and the weight mu of the distance to w; tau_k
/// without either. fed_avg with unequal tau_k tends to the minimizer of sum_k (pi_k tau_k / sum_j pi_j tau_j) L_k + r
/// for small eta_c, fed_nova to that of F: its limit is off by the order of eta_c, for clients that differ, and not
/// more. Where all a_k are equal it is fed_avg. It needs eta_c < 2 / (L + mu), L that of a client, and eta_c mu < 1. A
/// round is one round trip, d numbers down, d + 1 up. Source: Wang, Liu, Liang, Joshi, Poor, "Tackling the objective
/// inconsistency problem in heterogeneous federated optimization", NeurIPS 2020, section 5; with both rho and mu, a is
/// the norm that belongs to (3.1).
namespace lagnet {

enum class EffectiveSteps { norm, steps };
constexpr auto spellings(EffectiveSteps) {
  return std::array{Spelling{EffectiveSteps::norm, "norm"}, Spelling{EffectiveSteps::steps, "steps"}};
}

struct FedNovaOptions : ClientStepsOptions {
  static constexpr std::string_view kind = "fed_nova";
  static constexpr std::string_view summary = "averaging normalized by local steps (Wang et al. 2020)";
  double momentum = 0;                                                          // rho
  double mu = 0;                                                                // of the distance to w
  std::variant<EffectiveSteps, double> effective_steps = EffectiveSteps::norm;  // tau_eff
  ServerUpdateOptions server = {};
  static void fields(auto& self, auto& field) {
    declare_client_steps(self, field);
    field("momentum", self.momentum, "rho, momentum of local steps, from 0 in each round",
          ServerSgdOptions::below_one());
    field("mu", self.mu, "weight of the distance to the server's model in local steps, as of fed_prox", at_least(0));
    field("effective_steps", self.effective_steps,
          "tau_eff, how many steps the server goes: norm, the mean of the clients' a_k; steps, that of their tau_k; or "
          "a number",
          above(0));
    declare_server_update(self, field);
    declare_weights(self, field);
  }
  void check(auto& report) const {
    check_local_work(*this, report);
    check_server_update(*this, report);
  }
  AlgorithmTraits traits() const { return with_server_update(ClientStepsOptions::traits(), server); }
};

class FedNova final : public ClientStepsMethod {
 public:
  /// Throws Diagnosed if the regularizer offers no subgradient, and unless eta_c mu is below 1.
  FedNova(const FedNovaOptions& options, MethodInput given);
  Remarks remarks(const RunCounts& counts) const override { return all_of(update_.remarks(), counts); }

 private:
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;

  double rho_, mu_;
  std::variant<EffectiveSteps, double> tau_eff_;
  ServerUpdate update_;
};

}  // namespace lagnet
