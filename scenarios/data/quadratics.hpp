#pragma once

#include <filesystem>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Costs of agents, f_i(x) = x'A_i x / 2 - b_i'x with symmetric A_i >= 0, as samples of least squares: with A_i = V
/// diag(l) V', the d rows sqrt(d l_k) v_k' and the labels sqrt(d / l_k) v_k'b_i have the mean loss f_i + b_i'A_i^+ b_i
/// /
/// 2. So agents with d samples each have these costs, each counted from its own minimum.
struct QuadraticsOptions {
  std::filesystem::path path;

  static constexpr std::string_view kind = "quadratics";
  static constexpr std::string_view summary = "costs x'Ax/2 - b'x of agents, from a table of all A and b";
  static void fields(auto& self, auto& field) {
    field(
        "path", self.path,
        "CSV file with d lines for each agent, one after the other, for costs of d coefficients: a row of its A, then "
        "the entry of its b; with the squared loss, and as many agents as the table has",
        any_value().required());
  }
};

/// d samples for each agent. Throws Diagnosed for an A that is not symmetric or has a negative eigenvalue, and for a
/// cost without a minimum.
DataSet load(const QuadraticsOptions& options);

}  // namespace lagnet
