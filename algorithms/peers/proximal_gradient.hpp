#pragma once

#include "algorithms/peers/bases/mixing_method.hpp"

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
constexpr AlgorithmTraits single_agent_traits{.partition_by = PartitionBy::samples,
                                              .takes_regularizers = Regularizers::all,
                                              .takes_constraint = true,
                                              .takes_even_weights = true,
                                              .timing_only = true};

struct ProximalGradientOptions : GradientStepOptions {
  static constexpr std::string_view kind = "proximal_gradient";
  static constexpr std::string_view summary =
      "proximal or projected gradient descent of one agent that holds all samples";
  static constexpr AlgorithmTraits traits = single_agent_traits;
};

class ProximalGradient final : public OneAgentMethod<ProximalGradientOptions> {
  using OneAgentMethod::OneAgentMethod;
  Task<> run(Agent& me) const override;
  std::optional<RateBound> rate_bound(const ErrorScale& scale) const override;
};

struct AcceleratedProximalGradientOptions : AccelerationOptions {
  static constexpr std::string_view kind = "accelerated_proximal_gradient";
  static constexpr std::string_view summary =
      "accelerated proximal gradient descent of one agent that holds all samples";
  static constexpr AlgorithmTraits traits = single_agent_traits;
};

class AcceleratedProximalGradient final : public OneAgentMethod<AcceleratedProximalGradientOptions> {
  using OneAgentMethod::OneAgentMethod;
  Task<> run(Agent& me) const override;
};

}  // namespace lagnet
