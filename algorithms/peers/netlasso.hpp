#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/peers.hpp"

/// Projected gradient descent with gradient tracking, adapt then combine.
///
///     minimize over theta in a set   F(theta) = (1/m) sum_i f_i(theta)
///
/// Agents hold samples; each takes a projected step along its estimate of the mean gradient, and both the iterates and
/// the estimates are mixed, K rounds each. Linear convergence up to statistical accuracy for s about 1/(2 L) and rho^K
/// small. A regularizer with a prox may stand in for the constraint. Source: Y. Sun, M. Maros, G. Scutari, G. Cheng,
/// "High-dimensional inference over networks: linear convergence and statistical guarantees", 2022 (NetLASSO).
namespace lagnet {

struct NetLassoOptions {
  static constexpr std::string_view kind = "netlasso";
  static constexpr std::string_view summary =
      "projected gradient descent with gradient tracking (Sun, Maros, Scutari, Cheng 2022)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_constraint = true,
                                          .equal_agents = true,
                                          .timing_only = true};
  std::optional<double> L, step;
  MixingOptions mixing;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("L", self.L, "largest curvature of F; by default that of the loss times |X|^2 / N", above(0));
    field("step", self.step, "s, step size; by default 1/(2 L)", above(0));
    MixingOptions::fields(self.mixing, field);
  }
  template <class Report>
  void check(Report& report) const {
    mixing.check(report);
  }
};

class NetLasso final : public PeerAlgorithm {
 public:
  /// Throws OptionError for constants that cannot be, and for a problem that it is not for.
  NetLasso(const NetLassoOptions& options, MethodInput assignment);

  std::vector<std::pair<std::string, double>> constants() const override;
  std::vector<std::string> warnings() const override { return mixing_.semidefinite_warnings(); }

 private:
  Task<> run(Agent& me) const override;
  std::vector<PeerStep> start_steps(AgentId i) const override;
  std::vector<PeerStep> round_steps(AgentId i) const override;
  const Mixing* mixing() const override { return &mixing_; }
  Cost descend_work() const { return vector_work(2, 4) + Cost(P_.flops(d())); }
  Cost track_work(AgentId i) const { return gradient_work(i) + vector_work(2, 4); }

  ProximalMap P_;
  Mixing mixing_;
  double s_ = 0;
};

}  // namespace lagnet
