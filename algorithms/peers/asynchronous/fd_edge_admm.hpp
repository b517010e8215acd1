#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/local/local_fits.hpp"
#include "algorithms/peers/asynchronous/edge_values.hpp"
#include "algorithms/peers/bases/alike_agents.hpp"

/// Relaxed ADMM over edges for divided features: edge_admm on the dual.
///
///     minimize over theta   F(theta) = (1/(2n)) |sum_j A_j theta_j - y|^2 + sum_j r(theta_j)
///
/// Agent j owns the columns A_j and theta_j, one agent alone the labels y. Each has a copy lambda_j of the scaled
/// residual (A theta* - y) / n and steps, in the place of edge_admm's (2), with b = sum_k z_jk - [j owns y] y and
/// c = n/m + rho deg_j,
///
///     theta_j <- argmin over theta of r(theta) + |A_j theta + b|^2 / (2c),   lambda_j <- (b + A_j theta_j) / c,
///
/// from z = 0. There is no step size; rho is of the order of n/2. r is (b/2) |theta|^2, an l1 norm, or both. Sources:
/// as edge_admm; that the dual decomposes over features is ours, as in the method of Ancelin, Bahmani, Romberg (2021).
namespace lagnet {

struct FdEdgeAdmmOptions {
  static constexpr std::string_view kind = "fd_edge_admm";
  static constexpr std::string_view summary =
      "asynchronous ADMM over edges for divided features that losses do not harm (dual of edge_admm)";
  AlgorithmTraits traits() const {
    return {.takes_regularizers = Regularizers::all,
            .square = SquareStands::in_subproblems,
            .depends_on_order = true,
            .updates_need_time = true};
  }
  double penalty = 0;  // rho
  EdgeOptions edges;
  std::int64_t label_agent = 0;
  static void fields(auto& self, auto& field) {
    field("penalty", self.penalty, "rho, the weight of agreement; of the order of half the number of samples",
          above(0).required());
    EdgeOptions::fields(self.edges, field);
    field("label_agent", self.label_agent, "the agent that owns the labels", at_least(0));
  }
};

class FdEdgeAdmm final : public AlikeAgents {
 public:
  /// Throws Diagnosed for losses other than the squared one, regularizers other than l1, l2 or both, and a
  /// label_agent that is none.
  FdEdgeAdmm(const FdEdgeAdmmOptions& options, MethodInput input);

  /// One part: theta_j (d_j), zeros.
  std::vector<Vector> first_report(AgentId agent) const override;
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  /// The data once more, a Gram matrix for each agent, and vectors of n numbers for each of its edges.
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override;
  bool forgets_starts() const override { return true; }  // the values of edges may begin anywhere

  double rho_, l1_ = 0, l2_ = 0;
  EdgeOptions edges_;
  AgentId label_agent_ = 0;
  std::vector<DataMatrix> blocks_;  // A_j (n x d_j)
};

}  // namespace lagnet
