#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/kernels/column_block.hpp"
#include "algorithms/peers/primal_dual_steps.hpp"
#include "sim/base/options.hpp"

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

struct FdPrimalDualOptions {
  static constexpr std::string_view kind = "fd_primal_dual";
  static constexpr std::string_view summary = "feature-distributed primal-dual method (Ancelin, Bahmani, Romberg 2021)";
  AlgorithmTraits traits() const { return {.needs_eigenvalues = !(D && delta), .timing_only = true}; }
  std::optional<double> sigma, tau;
  std::optional<double> R, chi, D, delta;
  std::int64_t label_agent = 0;
  std::vector<double> l1_weights, l2_weights;  // a_j and b_j
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("sigma", self.sigma, "dual step; by default that of Theorem 1; goes with tau", above(0));
    field("tau", self.tau, "primal step; by default that of Theorem 1; goes with sigma", above(0));
    field("R", self.R, "bound on the norm of a minimizer; by default that of the central optimum", above(0));
    field("chi", self.chi, "bound on the largest singular value of X; by default that value", above(0));
    field("D", self.D, "bound on the largest eigenvalue of the Laplacian; by default that value", above(0));
    field("delta", self.delta, "lower bound on its smallest non-zero eigenvalue; by default that value", above(0));
    field("label_agent", self.label_agent, "the agent that owns the labels", at_least(0));
    field("l1_weights", self.l1_weights,
          "weight of |theta_j|_1 for each agent j; an empty list: 0, or the problem's regularizer where l2_weights is "
          "empty too. With weights of the agents' own relative_error is empty, and R, or sigma and tau, must be given",
          at_least(0));
    field("l2_weights", self.l2_weights, "weight of |theta_j|_2^2 / 2 for each agent j, likewise", at_least(0));
  }
  template <class Report>
  void check(Report& report) const {
    if (sigma.has_value() != tau.has_value())
      report(sigma ? "tau" : "sigma", "both sigma and tau, or neither", "only one of them");
  }
};

class FdPrimalDual final : public Algorithm {
 public:
  /// Throws OptionError when the steps cannot be found: no finite minimizer, or R = 0; when label_agent is no agent;
  /// and for weights of the agents' own that are not one for each, or with which the problem has a regularizer too.
  FdPrimalDual(const FdPrimalDualOptions& options, MethodInput assignment);

  void spawn(Host& host) const override;
  std::vector<AgentId> reporters() const override;
  std::vector<Vector> first_report(AgentId agent) const override;  // zeros
  std::vector<std::string> metric_names() const override;
  /// The parts of an agent's report: theta_j, and its average over its rounds up to t (14) (d_j each); where messages
  /// may be missing also v_j (n).
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& yardstick) const override;
  bool has_own_objective() const override { return !regularizers_.empty(); }
  std::vector<Constant> constants() const override { return rule_ ? rule_->constants() : std::vector<Constant>(); }
  /// 8 bytes of n numbers for each of an agent's ten vectors and payloads, and of d for ten of all agents together.
  std::optional<Bytes> memory() const override;
  std::vector<std::string> warnings() const override;
  std::vector<std::string> remarks(const RunCounts& counts) const override;

  PrimalDualSteps steps() const { return rule_ ? rule_->steps() : PrimalDualSteps(); }
  /// Per iteration: n (4 d_j + 2 deg + 7) + 5 d_j on a topology without weights, n (4 d + 1) + 5 d for one agent
  /// (section IV).
  Flops flops(AgentId agent, Index degree) const {
    return primal_flops(blocks_[agent], degree) + dual_flops(blocks_[agent], degree);
  }
  /// Figure 2's axis: iterations of a single agent that take as many operations as `round` iterations of an agent with
  /// d/m features and the largest degree.
  double single_agent_iterations(Round round) const;

 private:
  Task<> run(Agent& me) const;
  void set_regularizers(const FdPrimalDualOptions& options);
  const Regularizer& regularizer(AgentId agent) const {
    return regularizers_.empty() ? *given_.problem.regularizer : *regularizers_[agent];
  }
  double objective(const Vector& theta) const;  // F(theta), of all agents' coefficients (d)
  /// || sum_j v_j || / sum_j || v_j ||. The steps (10) of all agents add up to zero, which makes the limit a minimizer;
  /// where one of two neighbors misses the other's message theirs do not.
  static double multiplier_drift(RoundReport report);
  Cost primal_work(const ColumnBlock& X, Index degree) const;
  Cost dual_work(const ColumnBlock& X, Index degree) const;
  Flops primal_flops(const ColumnBlock& X, Index degree) const;
  Flops dual_flops(const ColumnBlock& X, Index degree) const;

  MethodInput given_;
  AgentId label_agent_;
  std::optional<PrimalDualRule> rule_;                            // none in a timing-only run
  std::vector<ColumnBlock> blocks_;                               // X_j
  std::vector<GossipRow> laplacian_;                              // off-diagonal weights, when they are not all 1
  std::vector<std::shared_ptr<const Regularizer>> regularizers_;  // r_j, where agents have their own
};

}  // namespace lagnet
