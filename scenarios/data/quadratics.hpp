#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Costs of agents, f_i(x) = x'A_i x / 2 - b_i'x with symmetric A_i >= 0, as samples of least squares: with A_i = V
/// diag(l) V', the d rows sqrt(d l_k) v_k' and the labels sqrt(d / l_k) v_k'b_i have the mean loss f_i + b_i'A_i^+ b_i
/// /
/// 2. So agents with d samples each have these costs, each counted from its own minimum.
///
/// With constraints that couple the agents, each has n variables x_i of its own, and A_i > 0:
///
///     minimize over all x_i   sum_i f_i(x_i)   subject to   sum_i B_i x_i = b,   low <= x <= high
///
/// and what the methods seek are the prices lambda (p) of the constraints, which maximize the dual function
///
///     d(lambda) = sum_i min over x_i within its limits of [f_i(x_i) + lambda'(B_i x_i - B_i x0_i)]
///
/// x0 a point that keeps constraints and limits, so that sum_i B_i x0_i = b and no agent needs to know b. An agent's
/// term is concave; with A_i = G G' and z = G'(x_i - x0_i) it is f_i(x0_i) less the sum over its n entries k of
///
///     max over z_k within its limits of  (t_k - a_k) z_k - z_k^2 / 2,   a = G^-1 B_i' lambda,   t = G^-1 b_i - G'x0_i
///
/// whose maximum is at z = t - a within the limits. Without limits this is (t - a)^2 / 2: samples of least squares with
/// the rows of G^-1 B_i' and the labels t. With limits it is the loss of limited_squares.hpp; a variable with limits
/// must be alone in A_i, so that G keeps it alone. Rows, targets and limits of z are multiplied by sqrt(n), so that
/// with n samples an agent's mean loss is its term, and for m agents
///
///     F(lambda) = (1/m) (sum_i f_i(x0_i) - d(lambda)),   grad F = -(1/m) (sum_i B_i x_i - b)
///
/// so gradient steps are dual ascent, EXTRA and the like dual decomposition over a graph, and consensus ADMM takes the
/// prox of the conjugates. By strong duality sum_i f_i(x0_i) - m F* is the least cost. Sources: Bertsekas, "Nonlinear
/// Programming" (2016), section 7.1.2 (separable problems and their dual); Boyd et al., "Distributed optimization and
/// statistical learning via the alternating direction method of multipliers" (2011), sections 2.1, 2.2 and 7.3 (dual
/// ascent, decomposition, sharing); Chang, Hong, Wang, "Multi-agent distributed optimization via inexact consensus
/// ADMM", IEEE Trans. Signal Process. 63 (2015), section III (consensus ADMM on this dual); Falsone, Margellos,
/// Garatti, Prandini, "Dual decomposition for multi-agent distributed optimization with coupling constraints",
/// Automatica 84 (2017).
struct QuadraticsOptions {
  std::filesystem::path path;
  std::optional<std::filesystem::path> coupling;
  std::optional<std::filesystem::path> limits;

  static constexpr std::string_view kind = "quadratics";
  static constexpr std::string_view summary = "costs x'Ax/2 - b'x of agents, alone or coupled by linear constraints";
  static void fields(auto& self, auto& field) {
    field(
        "path", self.path,
        "CSV file with d lines for each agent, one after the other, for costs of d coefficients: a row of its A, then "
        "the entry of its b; with the squared loss, and as many agents as the table has",
        any_value().required());
    field("coupling_path", self.coupling,
          "CSV file with a line for each constraint on all agents' variables together: a coefficient for each line of "
          "path, then the right-hand side; agents then have their own variables, and methods seek the prices of the "
          "constraints");
    field("limits_path", self.limits,
          "CSV file with a line for each line of path: the least and the largest value of this variable, +-1e20 for "
          "none; for constraints");
  }
  void check(auto& report) const {
    if (limits && !coupling) report("limits_path", "null without coupling_path", limits->generic_string());
  }
};

/// d samples for each agent. Throws Diagnosed for an A that is not symmetric or has a negative eigenvalue, and for a
/// cost without a minimum. With constraints: for an A that has no eigenvalue above 0, files of other sizes, a variable
/// with limits that is not alone in its A, and constraints that no point keeps.
DataSet load(const QuadraticsOptions& options);

}  // namespace lagnet
