#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/peers/bases/peers.hpp"
#include "algorithms/peers/directed/one_way.hpp"

/// Subgradient-push: gradient steps with the weights of push-sum, over links that may go one way.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta),   r(theta) = a |theta|_1 + (b/2) |theta|^2
///
///     S = C X,   y <- C y,   z_i = S_i / y_i                                                                       (1)
///     x_i = S_i - alpha_t (grad f_i(z_i) + subgradient of r at z_i),   alpha_t = alpha / t^decay                   (2)
///
/// from X = 0, y = 1; C are the push weights (one_way.hpp). Reports z_i. With 1/2 <= decay <= 1 the z_i tend to the
/// optimum, for decay 1/2 like ln t / sqrt t; with a constant step to a neighborhood of it. sum_i y_i = m at all times.
/// Source: A. Nedic, A. Olshevsky, "Distributed optimization over time-varying directed graphs", IEEE TAC 60 (2015),
/// equation (2).
namespace lagnet {

struct SubgradientPushOptions {
  static constexpr std::string_view kind = "subgradient_push";
  static constexpr std::string_view summary =
      "subgradient-push: falling steps over one-way links (Nedic, Olshevsky 2015)";
  static constexpr AlgorithmTraits traits = with_square(
      one_way_traits("subgradient_push keeps sums by what is sent", Regularizers::all), SquareStands::in_subgradient);
  double step = 0;
  double decay = 0.5;
  static void fields(auto& self, auto& field) {
    field("step", self.step,
          "alpha, the step of round 1; of the order of 1 / (2 L), L the largest curvature of any f_i",
          above(0).required());
    field("decay", self.decay, "the step of round t is alpha / t^decay; 0: a constant step", within(0, 1));
  }
};

class SubgradientPush final : public PeerAlgorithm {
 public:
  /// Throws Diagnosed for a regularizer other than a |theta|_1 + (b/2) |theta|^2.
  SubgradientPush(const SubgradientPushOptions& options, MethodInput input);

  /// Two parts: z_i (d) and y_i (1).
  std::vector<Vector> first_report(AgentId agent) const override;

 private:
  Task<> run(Agent& me) const override;

  double step_, decay_;
  std::shared_ptr<const Regularizer> r_;  // null: none
};

}  // namespace lagnet
