#pragma once

#include <vector>

#include "algorithms/peers/bases/peers.hpp"
#include "algorithms/peers/directed/one_way.hpp"

/// Push-DIGing: gradient tracking with the weights of push-sum, over links that may go one way.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta),   f_i smooth
///
///     U <- C (U - alpha Y),   v <- C v,   x_i = U_i / v_i                                                          (1)
///     Y <- C Y + grad f(X_new) - grad f(X)                                                                         (2)
///
/// from U = X = 0, v = 1, y_i = grad f_i(0); C are the push weights (one_way.hpp). All that is pushed is known before
/// the round, so that one exchange has it: 2 d + 1 numbers. sum_i v_i = m and sum_i y_i = sum_i grad f_i(x_i) at all
/// times. Linear convergence for strongly convex F, a strongly connected digraph and a small alpha, the smaller the
/// longer its ways are: 0.05 / L for a directed ring of eight, 0.2 / L for one with four chords. Source: A. Nedic, A.
/// Olshevsky, W. Shi, "Achieving geometric convergence for distributed optimization over time-varying graphs", SIAM J.
/// Optim. 27 (2017), algorithm 2.
namespace lagnet {

struct PushDigingOptions {
  static constexpr std::string_view kind = "push_diging";
  static constexpr std::string_view summary =
      "push-DIGing: gradient tracking over one-way links (Nedic, Olshevsky, Shi 2017)";
  static constexpr AlgorithmTraits traits =
      one_way_traits("push_diging keeps sums by what is sent", Regularizers::smooth);
  double step = 0;
  static void fields(auto& self, auto& field) {
    field("step", self.step, "alpha; 0.05 / L to 0.4 / L, L the largest curvature of any f_i", above(0).required());
  }
};

class PushDiging final : public PeerAlgorithm {
 public:
  PushDiging(const PushDigingOptions& options, MethodInput input);

  /// Three parts: x_i (d), y_i - grad f_i(x_i), of which the sum over all agents is 0 (d), and v_i (1).
  std::vector<Vector> first_report(AgentId agent) const override;

 private:
  Task<> run(Agent& me) const override;

  double step_;
};

}  // namespace lagnet
