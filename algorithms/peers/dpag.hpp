#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/peers.hpp"

/// Decentralized accelerated proximal gradient descent.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set
///
/// Agents hold samples; Nesterov's method with a gradient that tracks the mean, and three mixings of K rounds in an
/// iteration. The points u where gradients are taken may be infeasible, which is why it stalls in high dimensions where
/// accel_tracking does not. Linear convergence for strongly convex F with step <= 1/L, q = (1 - beta) / (1 + beta), and
/// rho^K small. Source: H. Ye, Z. Zhou, L. Luo, T. Zhang, "Decentralized Accelerated Proximal Gradient Descent",
/// NeurIPS 2020, with K plain rounds of gossip in the place of their Chebyshev mixing.
namespace lagnet {

struct DpagOptions {
  static constexpr std::string_view kind = "dpag";
  static constexpr std::string_view summary =
      "decentralized accelerated proximal gradient descent (Ye, Zhou, Luo, Zhang 2020)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_constraint = true,
                                          .equal_agents = true,
                                          .timing_only = true};
  CurvatureOptions curvature;
  std::optional<double> step, beta;
  MixingOptions mixing;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    CurvatureOptions::fields(self.curvature, field);
    field("step", self.step, "s, step size; by default 1/(2 L)", above(0));
    field("beta", self.beta, "q = (1 - beta) / (1 + beta) is the momentum; by default sqrt(mu / (8 L))",
          Limits{.low = 0, .high = 1, .low_excluded = true});
    MixingOptions::fields(self.mixing, field);
  }
  template <class Report>
  void check(Report& report) const {
    curvature.check(report);
    mixing.check(report);
  }
};

class Dpag final : public PeerAlgorithm {
 public:
  /// Throws OptionError for constants that cannot be, and for a problem that it is not for.
  Dpag(const DpagOptions& options, MethodInput assignment);

  std::vector<std::pair<std::string, double>> constants() const override;
  std::vector<std::string> warnings() const override { return mixing_.semidefinite_warnings(); }

 private:
  Task<> run(Agent& me) const override;
  std::vector<PeerStep> start_steps(AgentId i) const override;
  std::vector<PeerStep> round_steps(AgentId i) const override;
  const Mixing* mixing() const override { return &mixing_; }
  Cost descend_work() const { return vector_work(2, 3) + Cost(P_.flops(d())); }
  Cost extrapolate_work() const { return vector_work(3, 4); }
  Cost track_work(AgentId i) const { return gradient_work(i) + vector_work(2, 4); }

  ProximalMap P_;
  Mixing mixing_;
  double step_ = 0, beta_ = 0;
};

}  // namespace lagnet
