#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "algorithms/asynchronous/asynchronous_method.hpp"
#include "algorithms/interface/proximal_map.hpp"

/// PIAG: proximal incremental aggregated gradients.
///
///     minimize over w, in a set   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples,
///     pi_k = n_k / n
///
/// A client that gets w sends grad L_k(w). The server keeps the newest gradient g_k of each client, and their weighted
/// sum G. When all first ones are there it takes a step, and hands x to all clients; from then on it steps on each
/// answer g, and hands x to the client that answered:
///
///     G <- G + pi_k (g - g_k),   g_k <- g,   x <- P(x - gamma G, gamma)                                        (3.7)
///     gamma fixed;   or a max(gamma' - S, 0), a = 0.9;   or gamma'/(tau + 1) if S + gamma'/(tau + 1) <= gamma', else 0
///     S the sum of the last tau steps, tau the age in updates of the oldest g_k                               (3.8)
///
/// P is the prox of gamma r, or the projection on the set. The limit is the minimizer of F whatever the speeds: each
/// client has its weight pi_k in G. The adaptive steps converge for gamma' below 1/L, L the curvature of the sum, under
/// any delays, and pay for the oldest gradient; a fixed one up to about 1/(L K) does in practice, far above its bounds
/// in theory. An update is an answer after the start, 2 messages of d numbers. An answer that is sent again does no
/// harm. A client that is gone for good leaves its last gradient in G. Sources: Aytekin, Feyzmahdavian, Johansson,
/// "Analysis and implementation of an asynchronous optimization algorithm for the parameter server", 2016; Vanli,
/// Gurbuzbalaban, Ozdaglar, "Global convergence rate of proximal incremental aggregated gradient methods", 2018; for
/// (3.8) Wu, Magnusson, Feyzmahdavian, Johansson, "Delay-adaptive step-sizes for asynchronous learning", 2022.
namespace lagnet {

enum class DelayRule { fixed, adaptive1, adaptive2 };
constexpr auto spellings(DelayRule) {
  return std::array{Spelling{DelayRule::fixed, "fixed"}, Spelling{DelayRule::adaptive1, "adaptive1"},
                    Spelling{DelayRule::adaptive2, "adaptive2"}};
}

struct PiagOptions {
  static constexpr std::string_view kind = "piag";
  static constexpr std::string_view summary = "proximal incremental aggregated gradients (Aytekin et al. 2016)";
  static constexpr AlgorithmTraits traits = also_with_a_constraint(asynchronous_traits);
  DelayRule rule = DelayRule::adaptive1;
  std::optional<double> step = {};  // gamma, or gamma'
  std::optional<double> resend_ms = {};
  static void fields(auto& self, auto& field) {
    field("rule", self.rule,
          "steps, by the age tau of the oldest gradient: fixed, gamma; adaptive1, 0.9 of what the last tau steps leave "
          "of gamma'; adaptive2, gamma'/(tau + 1) where they leave as much, else 0");
    field("step", self.step,
          "gamma, required for fixed; or gamma': null is 0.99/L, L the largest curvature of the mean loss of all "
          "samples",
          above(0));
    declare_resend(self, field);
  }
  void check(auto& report) const {
    if (rule == DelayRule::fixed && !step) report("step", "a number above 0 for fixed steps", "null");
  }
};

/// The steps gamma_0, gamma_1, .. of an update after the other.
class DelayedSteps {
 public:
  DelayedSteps(DelayRule rule, double gamma) : rule_(rule), gamma_(gamma) {}
  /// The next one, with gradients that are up to tau updates old.
  double next(Round tau);

 private:
  DelayRule rule_;
  double gamma_;
  std::vector<double> taken_;
};

class Piag final : public AsynchronousMethod<FederatedMethod> {
 public:
  /// Throws Diagnosed for a loss with kinks, and for a regularizer and a constraint at once.
  Piag(const PiagOptions& options, MethodInput given);

  std::optional<Bytes> memory() const override;

 private:
  Task<> serve(Agent& me) const override;  // reports x
  Task<> train(Agent& me) const override;

  ProximalMap P_;
  DelayRule rule_;
  double gamma_ = 0;  // not known without numbers where theory gives it
};

}  // namespace lagnet
