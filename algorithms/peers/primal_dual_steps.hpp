#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/kernels/column_block.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// What an iteration of fd_primal_dual costs an agent with the columns X (n x d_j) and `degree` neighbors whose vectors
/// came. Both steps together take n (4 d_j + 2 deg + 7) + 5 d_j flops on a topology without weights, n (4 d + 1) + 5 d
/// for one agent: Ancelin, Bahmani, Romberg 2021, section IV. Of memory, X is read once for each product, and every
/// vector once wherever an expression reads or writes it.
struct PrimalDualCost {
  Index n = 0;               // samples
  bool is_weighted = false;  // the Laplacian has weights, which are multiplied with the neighbors' vectors
  bool is_scaled = false;    // and a factor, which the constant of (10) takes in, and (11) does not: n flops
  Cost primal(const ColumnBlock& X, Index degree) const;
  Cost dual(const ColumnBlock& X, Index degree) const;
};

/// Figure 2's axis: iterations of a single agent that take as many operations as `round` iterations of an agent with
/// d/m features and the largest degree.
double single_agent_iterations(Round round, const MethodInput& given);

/// Regularizers r_j of blocks of features, one for each agent: elastic nets whose weights agents have of their own, or,
/// where no weights are stated, the problem's regularizer for all.
class OwnRegularizers {
 public:
  /// Weights l1_weights[j] and l2_weights[j]; an empty list stands for zeros. Throws Diagnosed for a list that does
  /// not have one for each agent, and where the problem has a regularizer too.
  OwnRegularizers(const std::vector<double>& l1_weights, const std::vector<double>& l2_weights,
                  const MethodInput& given);

  bool are_stated() const { return !own_.empty(); }
  const Regularizer& of(AgentId agent) const { return own_.empty() ? *shared_ : *own_[agent]; }
  /// F(theta) with them, theta that of all features (d).
  double objective(const Vector& theta, const MethodInput& given) const;

 private:
  std::shared_ptr<const Regularizer> shared_;
  std::vector<std::shared_ptr<const Regularizer>> own_;
};

/// The steps of fd_primal_dual, and the bounds that they follow from.

/// Theorem 1. For one agent D = 0 and delta = infinity.
struct PrimalDualSteps {
  double sigma = 0, tau = 0;
};
PrimalDualSteps theorem1_steps(double n, double agents, double rho, double R, double chi, double D, double delta);

/// The loss models that steps can be tuned for: the paper has the steps of one, and says of the other that they are
/// "slightly different" and depend on the least objective.
enum class TunedFor { lipschitz, sqrt_lipschitz };
constexpr auto spellings(TunedFor) {
  return std::array{Spelling{TunedFor::lipschitz, "lipschitz"}, Spelling{TunedFor::sqrt_lipschitz, "sqrt_lipschitz"}};
}

/// The factor on Theorem 1's sigma for which bound (16), before steps are put in, is least up to the order 1/T:
///     (1 + 2 a / T)(F* + b / T) - F* = (2 a F* + b) / T + .., a = m n rho^2 / sigma, b = (1 + 2 chi^2/delta^2) R^2 /
///     tau
/// With tau = n^2 / ((chi + D)^2 sigma) it is sqrt(2 F*). Our derivation from section 5.3.2.
double sqrt_lipschitz_factor(double optimum);

/// (chi + D) sqrt(m) A, A = sqrt(1 + 2 chi^2 / delta^2): what the bounds of Theorem 1 have of the network. The smaller
/// it is, the better the graph and the number of agents m.
double theorem1_network_factor(double agents, double chi, double D, double delta);

/// The factor on all edge weights, and so on D and delta, that makes the network factor least: s^3 = 2 chi^3 / (delta^2
/// D), where the derivative of (chi + s D) sqrt(1 + 2 chi^2 / (s delta)^2) is 0. The paper suggests to adjust weights
/// and leaves open how; each edge by itself would be a semidefinite program.
double theorem1_edge_scale(double chi, double D, double delta);

/// The bounds of Theorem 1 on F(theta_bar_T) - F*, with its steps.
struct Theorem1Bound {
  double c = 0;              // (chi + D) R rho A sqrt(m / n)
  bool is_lipschitz = true;  // the loss is: (15); otherwise |l'| <= rho sqrt(l): (16)
  double f = 1;              // sigma over that of Theorem 1
  /// (15): c (f + 1/f) / T. (16), for T >= 2 c / f: (1 + 2 c / (f T)) (F* + c f / T) - F*. None before, and for (16)
  /// without F*.
  std::optional<double> excess(Round T, std::optional<double> optimum) const;
};

/// Options: both steps, or some of what Theorem 1 takes.
struct StatedSteps {
  std::optional<double> sigma = {}, tau = {};
  std::optional<double> R = {}, chi = {}, D = {}, delta = {};
  std::optional<double> edge_scale = 1.0;  // none: theorem1_edge_scale
  TunedFor tuned_for = TunedFor::lipschitz;
  static void fields(auto& self, auto& field) {
    field("sigma", self.sigma, "dual step; by default that of Theorem 1; goes with tau", above(0));
    field("tau", self.tau, "primal step; by default that of Theorem 1; goes with sigma", above(0));
    field("R", self.R, "bound on the norm of a minimizer; by default that of the central optimum", above(0));
    field("chi", self.chi, "bound on the largest singular value of X; by default that value", above(0));
    field("D", self.D, "bound on the largest eigenvalue of the Laplacian; by default that value", above(0));
    field("delta", self.delta,
          "lower bound on the smallest non-zero eigenvalue of the Laplacian; by default that value", above(0));
    field("edge_scale", self.edge_scale,
          "factor on the weights of all edges, and on D and delta; theory: the one for which the bound of Theorem 1 is "
          "least",
          above(0).or_word("theory"));
    field(
        "tuned_for", self.tuned_for,
        "lipschitz: the steps of Theorem 1; sqrt_lipschitz: sigma times sqrt(2 F*), F* the least objective, for which "
        "bound (16) is least where the square root of the loss is Lipschitz");
  }
  void check(auto& report) const {
    if (sigma && tuned_for != TunedFor::lipschitz) report("tuned_for", "lipschitz beside sigma and tau", tuned_for);
    if (sigma.has_value() != tau.has_value())
      report(sigma ? "tau" : "sigma", "both sigma and tau, or neither", "only one of them");
  }
};

/// The steps in use, and what they follow from. Bounds that are not stated come from the topology, the data and the
/// central optimum.
class PrimalDualRule {
 public:
  /// Throws Diagnosed when the steps cannot be found: no finite minimizer, or R = 0, or a minimizer that is not known
  /// since agents have regularizers of their own.
  PrimalDualRule(const StatedSteps& stated, const MethodInput& given, bool own_regularizers);

  const PrimalDualSteps& steps() const { return steps_; }
  /// None if the steps are given, or if the topology changes, so that the network's constants are no bounds.
  const std::optional<Theorem1Bound>& bound() const { return bound_; }
  double edge_scale() const { return edge_scale_; }
  /// That of the central optimum. Throws Diagnosed as the constructor does.
  static double norm_of_minimizer(const MethodInput& given, bool own_regularizers);
  std::vector<Constant> constants() const;
  /// Warns of steps too large to converge for certain, and of a topology that changes.
  Remarks warnings() const;

 private:
  double n_;
  PrimalDualSteps steps_;
  double agents_, chi_, D_, delta_;  // D and delta with the edge scale
  double edge_scale_ = 1;
  std::optional<double> R_;
  std::optional<Theorem1Bound> bound_;
  bool topology_changes_;
};

}  // namespace lagnet
