#pragma once

#include <memory>
#include <string_view>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/peers.hpp"

/// Decentralized gradient descent.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set
///
///     x_i <- P(sum_k w_ik x_k - alpha_t grad f_i(x_i), alpha_t),   alpha_t = alpha / t^decay
///
/// With a constant step (decay 0) below (1 + lambda_min(W)) / L it reaches a neighborhood of the optimum whose size is
/// of the order of alpha / (1 - rho); with 0 < decay <= 1 the optimum, slowly. Sources: A. Nedic, A. Ozdaglar,
/// "Distributed subgradient methods for multi-agent optimization", IEEE TAC 2009, equation (3); J. Zeng, W. Yin, "On
/// nonconvex decentralized gradient descent", IEEE TSP 2018 (Prox-DGD).
namespace lagnet {

struct DgdOptions {
  static constexpr std::string_view kind = "dgd";
  static constexpr std::string_view summary = "decentralized gradient descent (Nedic, Ozdaglar 2009), proximal form";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_constraint = true,
                                          .equal_agents = true,
                                          .timing_only = true};
  double step = 0;  // alpha
  double decay = 0;
  MixingOptions mixing;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("step", self.step, "alpha, step size", above(0).required());
    field("decay", self.decay, "the step of round t is alpha / t^decay", within(0, 1));
    MixingOptions::fields(self.mixing, field);
  }
  template <class Report>
  void check(Report& report) const {
    mixing.check(report);
  }
};

class Dgd final : public PeerAlgorithm {
 public:
  /// Throws OptionError for constants that cannot be, and for a problem that it is not for.
  Dgd(const DgdOptions& options, MethodInput assignment);

  std::vector<std::pair<std::string, double>> constants() const override;

 private:
  Task<> run(Agent& me) const override;
  std::vector<PeerStep> round_steps(AgentId i) const override;
  const Mixing* mixing() const override { return &mixing_; }
  Cost descend_work() const { return vector_work(2, 4) + Cost(P_.flops(d())); }

  ProximalMap P_;
  Mixing mixing_;
  double alpha_;
  double decay_ = 0;
};

}  // namespace lagnet
