#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/peers.hpp"

/// Proximal gradient descent of a single agent, the yardstick of distributed methods.
///
///     minimize over theta   F(theta) = f(theta) + r(theta), theta in a set:   theta <- P(theta - s grad f(theta))
///
/// P is the prox of s r, or the projection on the set. Converges for s < 2/L.
/// Source: Beck, "First-order methods in optimization" (2017), chapter 10.
namespace lagnet {

struct ProximalGradientOptions {
  static constexpr std::string_view kind = "proximal_gradient";
  static constexpr std::string_view summary =
      "proximal or projected gradient descent of one agent that holds all samples";
  static constexpr AlgorithmTraits traits{
      .partition_by = PartitionBy::samples, .takes_constraint = true, .equal_agents = true, .timing_only = true};
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
  ProximalGradient(const ProximalGradientOptions& options, MethodInput assignment);

  std::vector<std::pair<std::string, double>> constants() const override;

 private:
  Task<> run(Agent& me) const override;
  std::vector<PeerStep> round_steps(AgentId i) const override;
  Cost descend_work() const { return gradient_work(0) + vector_work(2, 4) + Cost(P_.flops(d())); }

  ProximalMap P_;
  double s_ = 0;
};

}  // namespace lagnet
