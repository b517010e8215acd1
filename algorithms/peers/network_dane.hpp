#pragma once

#include <optional>

#include "algorithms/peers/bases/mixing.hpp"
#include "algorithms/peers/bases/peers.hpp"

/// Network-DANE: agents minimize their own functions, corrected by a tracker of the mean gradient.
///
///     minimize over x   F(x) = (1/m) sum_i f_i(x),   every f_i + (mu/2) |x|^2 strongly convex
///
///     y_i = sum_k w_ik x_k                                                                                       (1)
///     s_i = sum_k w_ik s_k + grad f_i(y_i) - grad f_i(y_i of the round before)                                   (2)
///     x_i = argmin over z of f_i(z) - (grad f_i(y_i) - s_i)'z + (mu/2) |z - y_i|^2                               (3)
///
/// from x_i = y_i = 0 and s_i = grad f_i(0). The s_i keep the sum of the gradients at the y_i. One exchange of 2 d
/// numbers a round: x and s are known when it begins. Both mix with W; the authors' code mixes s with a lazier matrix.
/// The rate is linear, the better the more the agents' Hessians are alike; where they differ much it needs a larger mu.
/// (3) is exact (dane_step.hpp): for least squares by a factor, for the logistic loss by Newton's method, so that this
/// needs numbers. Source: Li, Cen, Chen, Chi, "Communication-efficient distributed optimization in networks with
/// gradient tracking and variance reduction", JMLR 21 (2020).
namespace lagnet {

struct NetworkDaneOptions {
  static constexpr std::string_view kind = "network_dane";
  static constexpr std::string_view summary =
      "minimizers of own functions corrected by gradient tracking, Network-DANE (Li et al. 2020)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_regularizers = Regularizers::smooth,
                                          .square = SquareStands::in_every_f,
                                          .needs_curvature = true,
                                          .takes_even_weights = true,
                                          .every_message = "network_dane needs every exchange",
                                          .timing_only = true,
                                          .timing_needs_squared = true};
  double mu = 0;
  static void fields(auto& self, auto& field) {
    field("mu", self.mu,
          "weight of the distance to the mixed iterate in the agents' own problems: the larger the less alike they are",
          at_least(0).required());
  }
};

class NetworkDane final : public PeerAlgorithm {
 public:
  /// Throws Diagnosed as PeerAlgorithm does, for a loss without second derivatives or with several scores, and where
  /// the Hessian of an f_i may be singular and mu is 0.
  NetworkDane(const NetworkDaneOptions& options, MethodInput input);

  /// The data once more, and two d x d matrices an agent.
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override;

  const Mixing mixing_;
  std::vector<DataMatrix> blocks_;  // X_i of each agent (n_i x d)
  const double mu_;
};

}  // namespace lagnet
