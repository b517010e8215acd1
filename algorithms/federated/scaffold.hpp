#pragma once

#include <array>

#include "algorithms/federated/bases/client_steps.hpp"

/// Stochastic controlled averaging: federated averaging whose local steps are corrected by control variates.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples
///
/// The server keeps w and c, client k keeps c_k; all start at 0. In a round each client of the cohort takes E local
/// steps along grad L_k - c_k + c and sends the changes of its model and of c_k. For smooth F, full batches and full
/// participation the limit is the minimizer however the clients differ, when eta_c is at most about 1/(81 L E eta_s)
/// (there Theorem I; steps ten times that are usual). Subgradients make no coefficient exactly zero; the method is
/// meant for r = 0. Source: Karimireddy, Kale, Mohri, Reddi, Stich, Suresh, "SCAFFOLD: stochastic controlled averaging
/// for federated learning", 2020, Algorithm 1; its options I and II are two forms of c_k.
///
/// A request is (w, c), an answer (x - w, c_k^+ - c_k): 2 d numbers each. When the server misses an answer, or a client
/// loses its state, c is no longer sum_k pi_k c_k.
namespace lagnet {

enum class ControlVariate { fresh_gradient, local_path };
constexpr auto spellings(ControlVariate) {
  return std::array{Spelling{ControlVariate::fresh_gradient, "fresh_gradient"},
                    Spelling{ControlVariate::local_path, "local_path"}};
}

struct ScaffoldOptions : ClientStepsOptions {
  static constexpr std::string_view kind = "scaffold";
  static constexpr std::string_view summary = "averaging with control variates (Karimireddy et al. 2020)";
  ControlVariate control = ControlVariate::local_path;
  static void fields(auto& self, auto& field) {
    declare_client_steps(self, field);
    field("control", self.control,
          "new c_k of a client: fresh_gradient (option I), the gradient at w on one more minibatch, or local_path "
          "(option II), from how far its local steps came");
    declare_weights(self, field);
  }
};

class Scaffold final : public ClientStepsMethod {
 public:
  /// Throws Diagnosed if the regularizer offers no subgradient.
  Scaffold(const ScaffoldOptions& options, MethodInput given);
  Remarks remarks(const RunCounts& counts) const override;

 private:
  Task<> serve(Agent& me) const override;  // reports w and c (d each)
  Task<> train(Agent& me) const override;

  ControlVariate control_;
};

}  // namespace lagnet
