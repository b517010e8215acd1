#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/kernels/column_block.hpp"
#include "algorithms/peers/bases/alike_agents.hpp"
#include "algorithms/peers/bases/learned_constants.hpp"
#include "algorithms/peers/primal_dual_steps.hpp"

/// Feature-distributed primal-dual method.
///
///     minimize over theta   F(theta) = (1/n) sum_i l(x_i' theta, y_i) + sum_j r(theta_j)              (1)-(2)
///
/// Agent j owns the columns X_j and the coefficients theta_j; one agent alone owns the labels. Each has its own copy
/// lambda_j of the dual, kept in agreement over the edges by multipliers v_j: the Chambolle-Pock iteration on the
/// saddle form (4). Two exchanges with the neighbors a round. Converges when tau sigma ||K||^2 <= 1, n ||K|| <= ||X|| +
/// ||L||, L the Laplacian; Theorem 1 gives the steps. The guarantee is for the temporal average of theta, not for the
/// last one. Source: B. Ancelin, S. Bahmani, J. Romberg, "Decentralized Feature-Distributed Optimization for
/// Generalized Linear Models", 2021; equation numbers are that paper's.
namespace lagnet {

/// Where chi, D and delta come from, if they are not stated: the data and the topology, or the agents themselves.
enum class ConstantsFrom { exact, learned };
constexpr auto spellings(ConstantsFrom) {
  return std::array{Spelling{ConstantsFrom::exact, "exact"}, Spelling{ConstantsFrom::learned, "learned"}};
}

struct FdPrimalDualOptions : StatedSteps {
  static constexpr std::string_view kind = "fd_primal_dual";
  static constexpr std::string_view summary = "feature-distributed primal-dual method (Ancelin, Bahmani, Romberg 2021)";
  AlgorithmTraits traits() const {
    return {.needs_eigenvalues = !(D && delta) && constants == ConstantsFrom::exact,
            .takes_regularizers = Regularizers::all,
            .needs_conjugate = true,
            .timing_only = constants == ConstantsFrom::exact};
  }
  std::int64_t label_agent = 0;
  std::vector<double> l1_weights = {}, l2_weights = {};  // a_j and b_j
  ConstantsFrom constants = ConstantsFrom::exact;
  std::int64_t power_iterations = 20;
  double margin = 0.05;
  static void fields(auto& self, auto& field) {
    StatedSteps::fields(self, field);
    field("constants", self.constants,
          "exact: chi, D and delta are those of the data and the topology; learned: agents find them before the first "
          "round, by power iterations over a spanning tree, in time, messages and flops that are billed; R is not");
    field("power_iterations", self.power_iterations, "of each of the three constants that are learned", at_least(1));
    field("margin", self.margin, "share by which learned chi and D are raised, since power iterations end below",
          at_least(0));
    field("label_agent", self.label_agent, "the agent that owns the labels", at_least(0));
    field("l1_weights", self.l1_weights,
          "weight of |theta_j|_1 for each agent j; an empty list: 0, or the problem's regularizer where l2_weights is "
          "empty too. With weights of the agents' own relative_error is empty, and R, or sigma and tau, must be given",
          at_least(0));
    field("l2_weights", self.l2_weights, "weight of |theta_j|_2^2 / 2 for each agent j, likewise", at_least(0));
  }
  void check(auto& report) const {
    StatedSteps::check(report);
    if (constants == ConstantsFrom::learned && (sigma || chi || D || delta || tuned_for != TunedFor::lipschitz))
      report("constants", "exact beside sigma, tau, chi, D, delta or tuned_for", constants);
  }
};

class FdPrimalDual final : public AlikeAgents {
 public:
  /// Throws Diagnosed when the steps cannot be found: no finite minimizer, or R = 0; when label_agent is no agent;
  /// and as OwnRegularizers does.
  FdPrimalDual(const FdPrimalDualOptions& options, MethodInput input);

  std::vector<Vector> first_report(AgentId agent) const override;  // zeros
  std::vector<std::string> metric_names() const override;
  /// The parts of an agent's report: theta_j, and its average over its rounds up to t (14) (d_j each); where messages
  /// may be missing also v_j (n); where constants are learned also these (3).
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  bool has_own_objective() const override { return regularizers_.are_stated(); }
  /// 8 bytes of n numbers for each of an agent's ten vectors and payloads, and of d for ten of all agents together.
  std::optional<Bytes> memory() const override;
  std::string_view without_neighbors() const override {
    return "the multipliers of the agreement no longer add up to zero (column multiplier_drift), so the limit need not "
           "be a minimizer of F";
  }

  PrimalDualSteps steps() const { return steps_; }

 private:
  Task<> run(Agent& me) const override;
  void learn_instead(const FdPrimalDualOptions& options);
  struct InUse {
    double sigma = 0, tau = 0;
    double edge_scale = 1;
    Vector learned = {};  // chi, D and delta where agents learned them, before round 0   (3)
  };
  Task<InUse> in_use(Agent& me, const ColumnBlock& X) const;

  struct Learning {
    LearningRule rule;
    double rho = 0, R = 0;
    std::optional<double> edge_scale;  // none: the one of theory
  };
  std::optional<Learning> learning_;
  AgentId label_agent_;
  OwnRegularizers regularizers_;  // r_j
  PrimalDualSteps steps_;         // not known in a timing-only run
  std::optional<Theorem1Bound> bound_;
  double edge_scale_ = 1;
  PrimalDualCost cost_;
  std::vector<ColumnBlock> blocks_;   // X_j
  std::vector<GossipRow> laplacian_;  // off-diagonal weights, when they are not all 1
};

}  // namespace lagnet
