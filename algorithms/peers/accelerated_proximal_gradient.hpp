#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/peers.hpp"

/// Accelerated proximal gradient descent of a single agent: what accel_tracking is on one agent, and what it is on
/// every agent where W = 11'/m.
///
///     z <- (theta + beta v) / (1 + beta)
///     v <- P((1 - beta) v + beta z - grad f(z) / (alpha beta))
///     theta <- beta v + (1 - beta) theta
///
/// All iterates are feasible. The error falls like (1 - sqrt(mu / (16 L)))^t for alpha = 2 L, beta = sqrt(mu / (8 L)).
/// Source: M. Maros, G. Scutari, "Acceleration in Distributed Sparse Regression", NeurIPS 2022, the master-worker form.
namespace lagnet {

struct AcceleratedProximalGradientOptions {
  static constexpr std::string_view kind = "accelerated_proximal_gradient";
  static constexpr std::string_view summary =
      "accelerated proximal gradient descent of one agent that holds all samples";
  static constexpr AlgorithmTraits traits{
      .partition_by = PartitionBy::samples, .takes_constraint = true, .equal_agents = true, .timing_only = true};
  CurvatureOptions curvature;
  std::optional<double> alpha, beta;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    CurvatureOptions::fields(self.curvature, field);
    field("alpha", self.alpha, "1/alpha is the gradient step; by default 2 L", above(0));
    field("beta", self.beta, "momentum, the weight of v; by default sqrt(mu / (8 L))",
          Limits{.low = 0, .high = 1, .low_excluded = true});
  }
  template <class Report>
  void check(Report& report) const {
    curvature.check(report);
  }
};

class AcceleratedProximalGradient final : public PeerAlgorithm {
 public:
  /// Throws OptionError for constants that cannot be, and for a problem that it is not for.
  AcceleratedProximalGradient(const AcceleratedProximalGradientOptions& options, MethodInput assignment);

  std::vector<std::pair<std::string, double>> constants() const override;

 private:
  Task<> run(Agent& me) const override;
  std::vector<PeerStep> round_steps(AgentId i) const override;
  Cost descend_work() const { return gradient_work(0) + vector_work(11, 8) + Cost(P_.flops(d())); }

  ProximalMap P_;
  Acceleration steps_;
};

}  // namespace lagnet
