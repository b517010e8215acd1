#pragma once

#include <optional>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/peers.hpp"

/// Proximal gradient descent of a single agent, plain and accelerated: the scale for distributed methods.
///
///     minimize over theta   F(theta) = f(theta) + r(theta), theta in a set
///
///     plain:         theta <- P(theta - s grad f(theta))
///     accelerated:   z <- (theta + beta v) / (1 + beta)
///                    v <- P((1 - beta) v + beta z - grad f(z) / (alpha beta))
///                    theta <- beta v + (1 - beta) theta
///
/// P is the prox of the step times r, or the projection on the set. The plain one converges for s < 2/L. The
/// accelerated one is what accel_tracking is on one agent, and on every agent where W = 11'/m; all its iterates are
/// feasible, and its error falls like (1 - sqrt(mu / (16 L)))^t for alpha = 2 L, beta = sqrt(mu / (8 L)). Sources:
/// Beck, "First-order methods in optimization" (2017), chapter 10; M. Maros, G. Scutari, "Acceleration in Distributed
/// Sparse Regression", NeurIPS 2022, the master-worker form.
namespace lagnet {

/// Methods of one agent that holds all samples.
constexpr AlgorithmTraits single_agent_traits{
    .partition_by = PartitionBy::samples, .takes_constraint = true, .equal_agents = true, .timing_only = true};

struct ProximalGradientOptions {
  static constexpr std::string_view kind = "proximal_gradient";
  static constexpr std::string_view summary =
      "proximal or projected gradient descent of one agent that holds all samples";
  static constexpr AlgorithmTraits traits = single_agent_traits;
  std::optional<double> L, step;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("L", self.L, "largest curvature of F; by default that of the loss times |X|^2 / N", above(0));
    field("step", self.step, "s, step size; by default 1/(2 L)", above(0));
  }
};

class ProximalGradient final : public PeerAlgorithm {
 public:
  /// Throws OptionError for constants that cannot be, and for a problem that it is not for.
  ProximalGradient(const ProximalGradientOptions& options, MethodInput input);
  std::vector<Constant> constants() const override { return {{"step", s_}}; }

 private:
  Task<> run(Agent& me) const override;

  ProximalMap P_;
  double s_;
};

struct AcceleratedProximalGradientOptions {
  static constexpr std::string_view kind = "accelerated_proximal_gradient";
  static constexpr std::string_view summary =
      "accelerated proximal gradient descent of one agent that holds all samples";
  static constexpr AlgorithmTraits traits = single_agent_traits;
  CurvatureOptions curvature;
  std::optional<double> alpha, beta;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    CurvatureOptions::fields(self.curvature, field);
    declare_acceleration(self, field);
  }
  template <class Report>
  void check(Report& report) const {
    curvature.check(report);
  }
};

class AcceleratedProximalGradient final : public PeerAlgorithm {
 public:
  /// Throws OptionError for constants that cannot be, and for a problem that it is not for.
  AcceleratedProximalGradient(const AcceleratedProximalGradientOptions& options, MethodInput input);
  std::vector<Constant> constants() const override { return {{"alpha", steps_.alpha}, {"beta", steps_.beta}}; }

 private:
  Task<> run(Agent& me) const override;

  ProximalMap P_;
  Acceleration steps_;
};

}  // namespace lagnet
