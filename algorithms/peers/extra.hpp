#pragma once

#include <memory>
#include <string_view>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/peers.hpp"

/// EXTRA, and PG-EXTRA where there is a regularizer or a set: decentralized gradient descent whose fixed point is
/// exact.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set
///
///     s^{k+1} = W x^k + s^k - (x^{k-1} + W x^{k-1}) / 2 - alpha (grad f(x^k) - grad f(x^{k-1})),   x^{k+1} =
///     P(s^{k+1})
///
/// from s^1 = W x^0 - alpha grad f(x^0). Converges for alpha < (1 + lambda_min(W)) / L, L the largest curvature of any
/// f_i. One mixing of K rounds a round. Sources: W. Shi, Q. Ling, G. Wu, W. Yin, "EXTRA: an exact first-order algorithm
/// for decentralized consensus optimization", SIAM J. Optim. 2015, (2.13), and "A proximal gradient algorithm for
/// decentralized composite optimization", IEEE TSP 2015, algorithm 1, with W~ = (I + W) / 2.
namespace lagnet {

struct ExtraOptions {
  static constexpr std::string_view kind = "extra";
  static constexpr std::string_view summary = "EXTRA and PG-EXTRA (Shi, Ling, Wu, Yin 2015)";
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

class Extra final : public PeerAlgorithm {
 public:
  /// Throws OptionError for constants that cannot be, and for a problem that it is not for.
  Extra(const ExtraOptions& options, MethodInput assignment);

  std::vector<std::pair<std::string, double>> constants() const override;

 private:
  Task<> run(Agent& me) const override;
  std::vector<PeerStep> round_steps(AgentId i) const override;
  const Mixing* mixing() const override { return &mixing_; }
  Cost descend_work() const { return vector_work(7, 8) + Cost(P_.flops(d())); }

  ProximalMap P_;
  Mixing mixing_;
  double alpha_;
};

}  // namespace lagnet
