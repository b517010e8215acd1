#pragma once

#include "algorithms/federated/c_fed_da.hpp"

/// Multistage constrained federated dual averaging (MC-FedDA).
///
///     minimize over |w| <= rho   F(w) = sum_k pi_k L_k(w) + lambda R(w),   L_k the mean loss of client k's n_k samples
///
/// Runs C-FedDA (c_fed_da.hpp) in stages with falling weights lambda_i of the norm R. Each starts where the one before
/// ended; that point is also the center of its ball and of its pull. Larger weights first keep iterates sparse, or of
/// low rank, from the start. Theory: lambda_i = 2^-i lambda_0, the last one the lambda of the problem, epsilon_i = 108
/// Psi^2 lambda_i / mu with Psi^2 the number of non-zeros, or the rank, of the solution, and a stage ends in the
/// weighted average of its iterates. The run is over after the last stage. Source: Bao, Crawshaw, Luo, Liu, "Fast
/// composite optimization and statistical recovery in federated learning", 2022, Algorithm 3.
namespace lagnet {

struct McFedDaStageOptions {
  double lambda = 0;
  std::int64_t rounds = 1;
  std::int64_t local_steps = 1;
  std::optional<double> epsilon = {};
  static void fields(auto& self, auto& field) {
    field("lambda", self.lambda, "lambda_i, the weight of the regularizer's norm", above(0).required());
    field("rounds", self.rounds, "R_i, rounds of the stage", at_least(1).required());
    field("local_steps", self.local_steps, "E_i, steps of a client in a round", at_least(1));
    field("epsilon", self.epsilon,
          "radius, in the regularizer's norm, of the ball around the stage's start; null: none, and with numerics off",
          at_least(0));
  }
};

struct McFedDaOptions : StagedOptions {
  static constexpr std::string_view kind = "mc_fed_da";
  static constexpr std::string_view summary = "multistage constrained dual averaging, MC-FedDA (Bao et al. 2022)";
  AlgorithmTraits traits() const;
  std::vector<McFedDaStageOptions> stages = {};
  StagedOutput stage_output = StagedOutput::average;
  static void fields(auto& self, auto& field) {
    field(
        "stages", self.stages,
        "the stages one after the other, the last with the weight of the problem's regularizer; example: [{\"lambda\": "
        "0.02, \"rounds\": 50}, {\"lambda\": 0.01, \"rounds\": 100}]",
        any_value().required());
    field("stage_output", self.stage_output,
          "where a stage ends and the next starts: average (theory) or last (iterate)");
    declare_batch(self, field);
    declare_dual_averaging(self, field);
    declare_staged(self, field);
  }
  void check(auto& report) const {
    if (stages.empty()) report("stages", "at least one stage", "none");
    StagedOptions::check(report);
  }
};

class McFedDa final : public CFedDa {
 public:
  /// Throws Diagnosed if there are no stages, if the regularizer is no multiple of a norm, or as CFedDa does.
  McFedDa(const McFedDaOptions& options, MethodInput given);
};

}  // namespace lagnet
