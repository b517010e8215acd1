#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/federated/bases/federated.hpp"

/// The base of methods in which clients take E local steps of size eta_c from the server's vector and the server moves
/// by eta_s times the mean of their changes, perhaps within a ball of radius rho.
namespace lagnet {

/// Traits and options of all these methods.
struct AveragingOptions {
  static constexpr AlgorithmTraits traits{.server = true,
                                          .partition_by = PartitionBy::samples,
                                          .takes_regularizers = Regularizers::all,
                                          .square = SquareStands::in_subgradient,
                                          .timing_only = true};
  std::int64_t local_steps = 1;  // E
  std::optional<std::int64_t> batch = {};
  std::optional<double> client_step = {};  // eta_c
  double server_step = 1;                  // eta_s
  std::vector<double> weights = {};        // pi_k; empty: n_k / n
};
/// Declares both step sizes.
void declare_step_sizes(auto& self, auto& field) {
  field("client_step", self.client_step,
        "eta_c, step size of the local steps: 0.1; theory: 1 / (2 L E eta_s), with which the E steps of a round go as "
        "far "
        "as one gradient step 1/(2 L), L the largest curvature of any client's mean loss (the order of Theorem V of "
        "Karimireddy et al. 2020)",
        above(0).or_word("theory"));
  field("server_step", self.server_step, "eta_s, factor on the mean of the clients' changes", above(0));
}
/// Declares E, the minibatches and both step sizes.
void declare_averaging(auto& self, auto& field) {
  declare_local_steps(self, field);
  declare_step_sizes(self, field);
}

class AveragingMethod : public FederatedMethod {
 protected:
  /// `rho` is the radius of a ball. Throws Diagnosed if the start is not in it.
  AveragingMethod(std::string_view kind, const AveragingOptions& options, MethodInput given,
                  std::optional<double> rho = {})
      : AveragingMethod(kind, {.E = options.local_steps, .batch = options.batch, .weights = options.weights},
                        std::move(given), rho) {
    set_steps(options.client_step, options.server_step, E());
  }
  /// Without step sizes; set_steps() must follow.
  AveragingMethod(std::string_view kind, Basics basics, MethodInput given, std::optional<double> rho = {})
      : FederatedMethod(kind, std::move(basics), std::move(given)), rho_(checked_radius(rho)) {}

  /// `E` local steps are the most of any client in any round; `even`: those of all.
  void set_steps(std::optional<double> eta_c, double eta_s, Index E, bool even = true) {
    eta_s_ = eta_s;
    if (eta_c)
      eta_c_ = *eta_c;
    else if (has_numbers())
      eta_c_ = 1 / (2 * largest_curvature_of_clients("client_step") * static_cast<double>(E) * eta_s_);
    add_constant(even ? "E" : "E_max", static_cast<double>(E));
    if (eta_c_ > 0) add_constant("eta_c", eta_c_);
    add_constant("eta_s", eta_s_);
  }

  double eta_c() const { return eta_c_; }
  double eta_s() const { return eta_s_; }
  double rho() const { return rho_; }
  Vector prox(VectorRef v, double step) const { return prox_in_ball(regularizer(), v, step, rho_); }  // P1
  /// With the step 0, P1 is the projection on the ball, if there is one.
  Flops prox_flops(double step = 1) const {
    if (step == 0) return rho_ == no_ball ? 0 : 3 * d();
    return prox_in_ball_flops(regularizer(), d(), rho_);
  }
  /// A client's round: the gradients of its steps, the update of its model by each, and the change that is sent, d
  /// flops.
  Cost steps_work(AgentId client, const Minibatches& batches, Cost update) const {
    return gradients_work(client, batches) + times(batches.steps(), update) + vector_work(d(), 3);
  }

 private:
  double eta_c_ = 0;  // 0 in a timing-only run where theory gives it
  double eta_s_ = 1, rho_;
};

}  // namespace lagnet
