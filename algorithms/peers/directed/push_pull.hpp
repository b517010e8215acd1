#pragma once

#include <array>
#include <vector>

#include "algorithms/peers/bases/peers.hpp"
#include "algorithms/peers/directed/one_way.hpp"

/// Push-pull: iterates are pulled, tracked gradients are pushed, over links that may go one way.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta),   f_i smooth
///
///     adapt_then_combine:  X <- R (X - alpha Y)                                                                    (1)
///     combine_then_adapt:  X <- R X - alpha Y                                                                      (2)
///     both:                Y <- C Y + grad f(X_new) - grad f(X)                                                    (3)
///
/// from X = 0, y_i = grad f_i(0); R are the pull weights, C the push weights (one_way.hpp). One exchange a round, of 2
/// d numbers. sum_i y_i = sum_i grad f_i(x_i) at all times. Linear convergence for strongly convex F, a strongly
/// connected digraph and a small alpha. Both weights are the same where all agents have one degree and links go both
/// ways; adapt_then_combine is push_diging then. Sources: S. Pu, W. Shi, J. Xu, A. Nedic, "Push-pull gradient methods
/// for distributed optimization in networks", IEEE TAC 66 (2021), algorithm 1; R. Xin, U. A. Khan, "A linear algorithm
/// for optimization over directed graphs with geometric convergence", IEEE Control Systems Letters 2 (2018) (AB, the
/// second form).
namespace lagnet {

enum class PushPullForm { adapt_then_combine, combine_then_adapt };
constexpr auto spellings(PushPullForm) {
  return std::array{Spelling{PushPullForm::adapt_then_combine, "adapt_then_combine"},
                    Spelling{PushPullForm::combine_then_adapt, "combine_then_adapt"}};
}

struct PushPullOptions {
  static constexpr std::string_view kind = "push_pull";
  static constexpr std::string_view summary =
      "push-pull, or AB: iterates pulled, gradients pushed over one-way links (Pu et al. 2021; Xin, Khan 2018)";
  static constexpr AlgorithmTraits traits =
      one_way_traits("push_pull keeps sums by what is sent", Regularizers::smooth);
  double step = 0;
  PushPullForm form = PushPullForm::adapt_then_combine;
  static void fields(auto& self, auto& field) {
    field("step", self.step, "alpha; 0.05 / L to 0.4 / L, L the largest curvature of any f_i", above(0).required());
    field("form", self.form, "adapt_then_combine: push-pull; combine_then_adapt: AB, where the step is not pulled");
  }
};

class PushPull final : public PeerAlgorithm {
 public:
  PushPull(const PushPullOptions& options, MethodInput input);

  /// Two parts: x_i (d), and y_i - grad f_i(x_i), of which the sum over all agents is 0 (d).
  std::vector<Vector> first_report(AgentId agent) const override;

 private:
  Task<> run(Agent& me) const override;

  double step_;
  bool adapts_first_;
};

}  // namespace lagnet
