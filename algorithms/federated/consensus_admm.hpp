#pragma once

#include "algorithms/federated/bases/consensus.hpp"
#include "algorithms/federated/bases/federated.hpp"
#include "algorithms/interface/proximal_map.hpp"

/// Consensus ADMM with a regularizer at the server: splitting across examples.
///
///     minimize over w, in a set   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples,
///     pi_k = n_k / n;   as   sum_k pi_k L_k(x_k) + r(z)   subject to x_k = z
///
///     x_k <- argmin over x of pi_k L_k(x) + (rho/2) |x - z + u_k|^2                    at client k
///     z   <- prox of r / (N rho) at (1/N) sum_k (alpha x_k + (1 - alpha) z + u_k)      at the server
///     u_k <- u_k + alpha x_k + (1 - alpha) z_old - z                                   at client k, with its next z
///
/// N clients; u_k is the scaled multiplier, alpha over-relaxation. A client's step is exact for least squares, else
/// within a stated distance of the exact one (bases/consensus.hpp): then iterates reach a neighborhood of the minimizer
/// of the order of that distance. Converges for every rho > 0 and 0 < alpha < 2 when all clients answer. Where some are
/// not asked or miss a round, the mean is over the newest answers of all that ever answered, as in Zhang, Kwok,
/// "Asynchronous distributed ADMM for consensus optimization", ICML 2014, whose limit is the minimizer too. A round is
/// one round trip, z and x_k + u_k, d numbers each way. Source: Boyd, Parikh, Chu, Peleato, Eckstein, "Distributed
/// optimization and statistical learning via the alternating direction method of multipliers", Foundations and Trends
/// in Machine Learning 3, 2011, sections 7.1.1 (the iteration, scaled as in 3.1.1), 8.2 (losses of samples), 3.4.3
/// (alpha), 4.2 (factors that are kept), 4.3 (inexact).
namespace lagnet {

struct ConsensusAdmmOptions {
  static constexpr std::string_view kind = "consensus_admm";
  static constexpr std::string_view summary = "consensus ADMM of clients with samples (Boyd et al. 2011)";
  AlgorithmTraits traits() const {
    return {.server = true,
            .partition_by = PartitionBy::samples,
            .takes_regularizers = Regularizers::all,
            .takes_constraint = true,
            .timing_only = local_minimizer == LocalMinimizer::exact};
  }
  std::optional<double> penalty = {};  // rho
  double relaxation = 1;               // alpha
  LocalMinimizer local_minimizer = LocalMinimizer::exact;
  std::optional<double> accuracy = {};
  static void fields(auto& self, auto& field) {
    field("penalty", self.penalty, "rho, the weight of disagreement; theory: the largest curvature of F / clients",
          above(0).or_word("theory"));
    field("relaxation", self.relaxation, "alpha, over-relaxation where above 1", between(0, 2));
    declare_local_minimizer(self, field);
  }
  void check(auto& report) const { check_accuracy(*this, report); }
};

class ConsensusAdmm final : public FederatedMethod {
 public:
  /// Throws Diagnosed for a loss that the local minimizer cannot handle, and for a regularizer and a constraint at
  /// once.
  ConsensusAdmm(const ConsensusAdmmOptions& options, MethodInput assignment);

  std::optional<Bytes> memory() const override;

 private:
  Task<> serve(Agent& me) const override;  // reports z
  Task<> train(Agent& me) const override;
  std::string_view without_answers() const override { return "the server went on with what these had sent last"; }

  ProximalMap P_;
  double rho_ = 0;  // 0 in a timing-only run where theory gives it
  double alpha_;
  std::optional<LocalMinimizers> minimizers_;  // made last
};

}  // namespace lagnet
