#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "algorithms/peers/bases/mixing_method.hpp"

/// Gradient tracking.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
///     diging:              x <- W x - alpha y,    y <- W y + grad f(x_new) - grad f(x)
///     adapt_then_combine:  x <- W (x - alpha y),  y <- W (y + grad f(x_new) - grad f(x))
///     adapt_first:         x <- W (x - alpha y),  y <- W y + grad f(x_new) - grad f(x),     from x = 0, y = grad f(x)
///
/// With momentum, u <- momentum u + grad f(x) takes the place of each gradient, which may be of a minibatch: evaluated
/// once, and stored for the difference of the next round.
/// The mean of the y_i is the mean of the gradients at all times. Linear convergence for strongly convex F and small
/// alpha. Theory's step is half of the largest alpha at which agents whose f_i all have the same curvature L converge:
/// with h that curvature, each eigenvalue v of W^K has a recursion of x and y of its own, whose characteristic
/// polynomial z^2 - (2 v - alpha h) z + v^2 - alpha h (diging) has its roots within the unit circle for alpha h < (1 +
/// v)^2 / 2 by Jury's criterion, and z^2 - (2 v - alpha h v^2) z + v^2 - alpha h v^2 for alpha h < (1 + v)^2 / (2 v^2).
/// adapt_first takes diging's step; its own bound, (1 + v)^2 / (2 v) for v > 0, is no smaller. A round mixes x and y, K
/// times each. diging and adapt_first know both when the round starts and mix them in one exchange of 2 d
/// numbers; diging's iterates are those of two exchanges, unless one of the two messages alone is missing. The second
/// mixing of adapt_then_combine waits for what the first brings. netlasso is that form with a projection; adapt_first
/// is push_pull's adapt_then_combine with doubly stochastic weights. Sources: A. Nedic, A. Olshevsky, W. Shi,
/// "Achieving geometric convergence for distributed optimization over time-varying graphs", SIAM J. Optim. 2017,
/// algorithm 1 (DIGing); J. Xu, S. Zhu, Y. C. Soh, L. Xie, "Augmented distributed gradient methods for multi-agent
/// optimization under uncoordinated constant stepsizes", CDC 2015 (Aug-DGM); S. Pu, A. Nedic, "Distributed stochastic
/// gradient tracking methods", Math. Programming 2021 (minibatches); Y. Takezawa, H. Bao, K. Niwa, R. Sato, M. Yamada,
/// "Momentum tracking", TMLR 2023.
namespace lagnet {

enum class TrackingForm { diging, adapt_then_combine, adapt_first };
constexpr auto spellings(TrackingForm) {
  return std::array{Spelling{TrackingForm::diging, "diging"},
                    Spelling{TrackingForm::adapt_then_combine, "adapt_then_combine"},
                    Spelling{TrackingForm::adapt_first, "adapt_first"}};
}

struct GradientTrackingOptions : MixedStep {
  static constexpr std::string_view kind = "gradient_tracking";
  static constexpr std::string_view summary = "gradient tracking: DIGing, or the step before the mixing";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_regularizers = Regularizers::smooth,
                                          .takes_even_weights = true,
                                          .takes_single_rounds = SingleRounds::doubly_stochastic,
                                          .timing_only = true};
  TrackingForm form = TrackingForm::diging;
  std::optional<std::int64_t> exchanges = {};
  DirectionOptions direction = {};
  bool in_one() const { return exchanges.value_or(form == TrackingForm::adapt_then_combine ? 2 : 1) == 1; }
  double theory_step(const StepTheory& of) const {
    const double bound = (1 + of.lowest) * (1 + of.lowest) / 2;  // of alpha L for the smallest eigenvalue
    const double L = of.L / direction.without_momentum();
    if (form != TrackingForm::adapt_then_combine) return bound / (2 * L);
    return std::min(2.0, bound / (of.lowest * of.lowest)) / (2 * L);
  }
  static void fields(auto& self, auto& field) {
    declare_step(self, field);
    field(
        "form", self.form,
        "where the mixing stands: diging, W x - alpha y and W y + change of gradients; adapt_then_combine, W of both; "
        "adapt_first, W (x - alpha y) and W y + change of gradients, which often allows larger steps than diging");
    field("exchanges", self.exchanges,
          "in which x and y are mixed: 1, both in a message of twice the size, or 2, each in its own; null: 1 with "
          "diging, whose iterates are the same either way unless one of the two messages alone is missing, and 2 with "
          "adapt_then_combine, whose second message holds what follows from the first; always 1 with adapt_first",
          within(1, 2));
    MixingOptions::fields(self.mixing, field);
    DirectionOptions::fields(self.direction, field);
  }
  void check(auto& report) const {
    MixedStep::check(report);
    if (in_one() && form == TrackingForm::adapt_then_combine)
      report("exchanges", "2 for adapt_then_combine, whose second message needs what the first brings", 1);
    if (!in_one() && form == TrackingForm::adapt_first)
      report("exchanges", "1 for adapt_first, all of whose message is known when a round starts", 2);
  }
};

class GradientTracking final : public MixingMethod<GradientTrackingOptions> {
 public:
  GradientTracking(const GradientTrackingOptions& options, MethodInput input)
      : MixingMethod(options, std::move(input)) {
    remark_on_batch(options.direction.batch);
  }

 private:
  Task<> run(Agent& me) const override;
  Task<> run_in_one_exchange(Agent& me) const;
  Task<> run_in_two_exchanges(Agent& me) const;
};

}  // namespace lagnet
