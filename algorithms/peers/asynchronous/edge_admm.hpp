#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/local/local_fits.hpp"
#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"
#include "algorithms/peers/asynchronous/edge_values.hpp"

/// Relaxed ADMM over edges, without rounds: no agent waits, and lost messages only cost time.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
/// Agent i keeps z_ij for each neighbor j, at first rho theta_0 = 0, and the newest q_j that came from it. It repeats,
/// at its own pace,
///
///     z_ij <- (1 - alpha) z_ij + alpha q_j   for each neighbor of which something has come                         (1)
///     x_i <- argmin over x of f_i(x) - <sum_j z_ij, x> + (rho deg_i / 2) |x|^2, the update;   n <- n + 1 (2) sends q =
///     2 rho x_i - z_ij to each neighbor j, unless |q - the last one sent to j| <= c s^n                   (3)
///
/// Fixed points are the x_i = theta*. Squared losses: an exact step by a factor that is made once; else by gradients,
/// to an accuracy. alpha near 1 is for agents of equal speed. With a threshold (c, s) agents are silent while they have
/// little to say: it saves messages, and costs time. Sources: Bastianello, Carli, Schenato, Todescato, "Asynchronous
/// distributed optimization over lossy networks via relaxed ADMM: stability and linear convergence", IEEE TAC 66
/// (2021), algorithm 2; without rounds: Iutzeler, Bianchi, Ciblat, Hachem, "Asynchronous distributed optimization using
/// a randomized alternating direction method of multipliers", CDC 2013.
namespace lagnet {

struct EdgeAdmmOptions {
  static constexpr std::string_view kind = "edge_admm";
  static constexpr std::string_view summary =
      "asynchronous ADMM over edges that losses do not harm (Bastianello et al. 2021)";
  AlgorithmTraits traits() const {
    return {.partition_by = PartitionBy::samples,
            .takes_regularizers = Regularizers::smooth,
            .square = SquareStands::in_subproblems,
            .takes_even_weights = true,
            .timing_only = !edges.threshold && accuracy == 0,
            .depends_on_order = true,
            .updates_need_time = true};
  }
  double penalty = 0;  // rho
  EdgeOptions edges;
  double accuracy = 0;
  static void fields(auto& self, auto& field) {
    field("penalty", self.penalty, "rho, the weight of agreement", above(0).required());
    EdgeOptions::fields(self.edges, field);
    field("accuracy", self.accuracy,
          "how far a local minimizer may be from the exact one; 0: exact steps, for squared losses", at_least(0));
  }
};

class EdgeAdmm final : public AsynchronousPeers {
 public:
  /// Throws Diagnosed where a loss has no exact steps and `accuracy` is not given.
  EdgeAdmm(const EdgeAdmmOptions& options, MethodInput input);

  /// With exact steps the data once more, and a factor for each agent.
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override;
  bool is_exact() const { return accuracy_ == 0; }
  double scale(AgentId i) const { return static_cast<double>(samples(i).rows()) / weight(i); }  // n_i / w_i

  double rho_, accuracy_, curvature_ = 0;  // curvature_: of any f_i, where steps are by gradients
  EdgeOptions edges_;
  std::vector<DataMatrix> blocks_;  // X_i of each agent where steps are exact (n_i x d)
};

}  // namespace lagnet
