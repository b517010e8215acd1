#pragma once

#include <memory>
#include <string_view>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/peers.hpp"

/// NIDS: network-independent steps.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set
///
///     z^{k+1} = z^k - x^k + (I + W)/2 (2 x^k - x^{k-1} - alpha (grad f(x^k) - grad f(x^{k-1}))),   x^{k+1} =
///     P(z^{k+1})
///
/// from z^1 = x^0 - alpha grad f(x^0), a step without neighbors that is done before round 1: round k reports x^{k+1}.
/// Converges for alpha < 2/L whatever the network, L the largest curvature of any f_i. One mixing of K rounds a round.
/// Source: Z. Li, W. Shi, M. Yan, "A decentralized proximal-gradient method with network independent step-sizes and
/// separated convergence rates", IEEE TSP 2019, algorithm 1.
namespace lagnet {

struct NidsOptions {
  static constexpr std::string_view kind = "nids";
  static constexpr std::string_view summary = "NIDS, whose step does not depend on the network (Li, Shi, Yan 2019)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_constraint = true,
                                          .equal_agents = true,
                                          .timing_only = true};
  double step = 0;  // alpha
  MixingOptions mixing;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("step", self.step, "alpha, step size", above(0).required());
    MixingOptions::fields(self.mixing, field);
  }
  template <class Report>
  void check(Report& report) const {
    mixing.check(report);
  }
};

class Nids final : public PeerAlgorithm {
 public:
  /// Throws OptionError for constants that cannot be, and for a problem that it is not for.
  Nids(const NidsOptions& options, MethodInput assignment);

  std::vector<std::pair<std::string, double>> constants() const override;

 private:
  Task<> run(Agent& me) const override;
  std::vector<PeerStep> start_steps(AgentId i) const override;
  std::vector<PeerStep> round_steps(AgentId i) const override;
  const Mixing* mixing() const override { return &mixing_; }
  Cost first_work(AgentId i) const { return gradient_work(i) + vector_work(2, 3) + Cost(P_.flops(d())); }
  Cost extrapolate_work(AgentId i) const { return gradient_work(i) + vector_work(5, 6); }
  Cost descend_work() const { return vector_work(4, 6) + Cost(P_.flops(d())); }

  ProximalMap P_;
  Mixing mixing_;
  double alpha_;
};

}  // namespace lagnet
