#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/federated/dual_averaging.hpp"

/// Constrained federated dual averaging (C-FedDA), in one stage or several (MC-FedDA, mc_fed_da.hpp).
///
///     minimize over |w| <= rho   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples
///
/// Rounds r = 0, 1, .. have weights alpha_r with sums A_r, g is the weighted sum of gradients at all local steps and s
/// that of the published iterates; with r = lambda R the iterate is
///
///     CProx_r(z) = argmin <w, z - gamma E w_0> + B |w|^2 / 2 + A_r E r(w)
///                  subject to R(w - w_0) <= epsilon, |w| <= rho,   B = (mu A_r / 2 + gamma) E
///
/// of z = g - mu E s / 2, s frozen during a round: prox_in_balls (ball_prox.hpp) with c = w_0. The factor E multiplies
/// gamma, mu, A_r r and s. For F with a mu-strongly convex mean loss and alpha_r = (r + a)^2, a >= 4 L / mu, gamma = 2
/// mu a^3 the weighted average of the iterates converges (Theorem 3.1). Source: Bao, Crawshaw, Luo, Liu, "Fast
/// composite optimization and statistical recovery in federated learning", 2022, Algorithm 2 with s = alpha_0 w_0 at
/// the start.
///
/// A request is (g, s, w), 3 d numbers; an answer is g_k, d numbers. Lean messages are v = g - (mu E / 2) s, with s
/// without the present iterate, and v_k, d numbers each. The client then finds w = CProx_{r-1}(v) itself; iterates are
/// those of the literal form up to rounding. If no client answered in the rounds before, w is from an earlier round:
/// the header missed_rounds has their number. The start of a later stage is joined to a client's first request of that
/// stage, d numbers more, and again after a round that the client did not answer. All know the first start, w_0.
namespace lagnet {

enum class StagedOutput { last, average };
constexpr auto spellings(StagedOutput) {
  return std::array{Spelling{StagedOutput::last, "last"}, Spelling{StagedOutput::average, "average"}};
}
constexpr auto spellings(BallRule) {
  return std::array{Spelling{BallRule::exact, "exact"}, Spelling{BallRule::shortcut, "shortcut"}};
}

/// Options of C-FedDA in one stage or several.
struct StagedOptions : DualAveragingOptions {
  BallRule ball = BallRule::exact;
  StagedOutput output = StagedOutput::last;
};
void declare_staged(auto& self, auto& field) {
  declare_rho(self, field);
  field("ball", self.ball,
        "how both constraints are met: exact, or shortcut (a prox and then a projection, as in published code; not the "
        "minimizer where the ball binds, and outside of rho's at times)");
  field("messages", self.messages, "literal: 3 d numbers to a client and d back; lean: d and d, same iterates");
  field("output", self.output, "what is evaluated: last (iterate) or average (weighted, of the stage's iterates)");
  declare_weights(self, field);
}

struct CFedDaOptions : StagedOptions {
  static constexpr std::string_view kind = "c_fed_da";
  static constexpr std::string_view summary = "constrained federated dual averaging, C-FedDA (Bao et al. 2022)";
  AlgorithmTraits traits() const {
    return {.server = true,
            .partition_by = PartitionBy::samples,
            .takes_regularizers = Regularizers::all,
            .timing_only = !epsilon};
  }
  std::int64_t local_steps = 1;
  std::optional<double> epsilon = {};
  static void fields(auto& self, auto& field) {
    declare_local_steps(self, field);
    declare_dual_averaging(self, field);
    field("epsilon", self.epsilon,
          "radius, in the regularizer's norm, of the ball around the start that the iterates are kept in; null: none. "
          "What a prox costs depends then on whether the ball binds, so that numerics must be on",
          at_least(0));
    declare_staged(self, field);
  }
};

/// One run of C-FedDA; its center is where it starts.
struct FedDaStage {
  std::shared_ptr<const Regularizer> r;
  double epsilon = no_ball;
  Round rounds = std::numeric_limits<Round>::max();
  Index E = 1;
};

class CFedDa : public DualAveragingMethod {
 public:
  /// Throws Diagnosed if the start is not in the ball of rho, or for an epsilon without a norm.
  CFedDa(const CFedDaOptions& options, MethodInput given);

 protected:
  /// In stages, at least one; each starts at that output of the one before.
  CFedDa(std::string_view kind, const StagedOptions& options, std::vector<FedDaStage> stages, StagedOutput stage_output,
         MethodInput given);

 private:
  /// A round, counted from 1: the stage and its round r, counted from 0.
  struct StageRound {
    std::size_t stage = 0;
    Round r = 0;
  };
  StageRound stage_round(Round round) const;
  const FedDaStage& stage(StageRound at) const { return stages_[at.stage]; }
  double half_mu_E(StageRound at) const { return mu_ * static_cast<double>(stage(at).E) / 2; }

  /// Reports w, and the weighted average of the present stage's iterates (d each). A stage's output, where the next one
  /// starts, is one of the two after its last round.
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;
  /// CProx_r(z) of the stage that starts at w_0; adds the flops of a ball that binds to `extra`.
  Vector prox(StageRound at, VectorRef z, const Vector& w_0, Flops& extra) const;
  Flops prox_flops(StageRound at) const;
  /// Of a client, besides gradients: 2 E d + (E - 1)(5 d + c_cprox) flops; lean 2 d + 2 E d + E (3 d + c_cprox), in
  /// round 0 of a stage one c_cprox + 3 d less. The check of c_cprox is billed with or without an epsilon.
  Cost updates_work(StageRound at) const;

  std::vector<FedDaStage> stages_;
  StagedOutput stage_output_;
  BallRule ball_;
  std::vector<Round> ends_;  // the last round of each stage
};

}  // namespace lagnet
