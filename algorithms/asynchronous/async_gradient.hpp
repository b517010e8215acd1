#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "algorithms/asynchronous/asynchronous_method.hpp"
#include "algorithms/interface/proximal_map.hpp"

/// Asynchronous (stochastic) gradient descent, with a prox.
///
///     minimize over w, in a set   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples,
///     pi_k = n_k / n
///
/// A client that gets w sends g = K pi_k grad L_k(w), K the number of clients, on a minibatch of its samples or all:
/// over uniformly drawn clients the mean is the gradient of F's smooth part. The server steps along each g as it comes:
///
///     gamma = eta;   or eta for tau <= tau_C, else min(eta, 1/(4 L tau));   or eta for tau <= tau_C, else 0     (3.5)
///     x <- P(x - gamma g, gamma)                                                                              (3.6)
///
/// P is the prox of gamma r, or the projection on the set; tau is the staleness of g in updates, tau_C the number of
/// jobs under way, L the largest K pi_k lambda_max(H_k), H_k the Hessian of L_k. A constant eta is stable about as long
/// as eta L tau < 1 for the usual tau. Where the client that answered computes next, fast clients count for more, and
/// the limit is off the minimizer of F; rules that hold stale gradients back add to that. With other assignments it is
/// reached up to the order of eta. An update is an answer, 2 messages of d numbers. Sources: Koloskova, Stich, Jaggi,
/// "Sharper convergence guarantees for asynchronous SGD for distributed and federated learning", 2022, Algorithms 1 and
/// 2 and the adaptive steps; Mishchenko, Bach, Even, Woodworth, "Asynchronous SGD beats minibatch SGD under arbitrary
/// delays", 2022; both without a prox.
namespace lagnet {

enum class StaleRule { constant, adaptive, drop };
constexpr auto spellings(StaleRule) {
  return std::array{Spelling{StaleRule::constant, "constant"}, Spelling{StaleRule::adaptive, "adaptive"},
                    Spelling{StaleRule::drop, "drop"}};
}

struct AsyncGradientOptions {
  static constexpr std::string_view kind = "async_gradient";
  static constexpr std::string_view summary = "asynchronous gradient descent (Koloskova, Stich, Jaggi 2022)";
  static constexpr AlgorithmTraits traits = also_with_a_constraint(asynchronous_traits);
  double step = 0;  // eta
  StaleRule rule = StaleRule::constant;
  std::optional<std::int64_t> concurrency = {};  // tau_C
  std::optional<double> smoothness = {};         // L
  std::optional<std::int64_t> batch = {};
  Assignment assignment = Assignment::same;
  std::optional<double> resend_ms = {};
  static void fields(auto& self, auto& field) {
    field("step", self.step, "eta, step size: 0.05", above(0).required());
    field("rule", self.rule,
          "steps along gradients that are tau updates old: constant, eta; adaptive, at most 1/(4 L tau) where tau is "
          "above tau_C; drop, none then");
    field("concurrency", self.concurrency, "tau_C, the largest tau of a full step; null: the number of clients",
          at_least(1));
    field("smoothness", self.smoothness,
          "L, for adaptive; null: the largest curvature of any client's part of F times the number of clients",
          above(0));
    declare_batch(self, field);
    declare_assignment(self, field);
    declare_resend(self, field);
  }
  void check(auto& report) const {
    if (smoothness && rule != StaleRule::adaptive) report("smoothness", "null but for adaptive", *smoothness);
    if (concurrency && rule == StaleRule::constant) report("concurrency", "null for constant steps", *concurrency);
  }
};

class AsyncGradient final : public AsynchronousMethod<FederatedMethod> {
 public:
  /// Throws Diagnosed for a loss with kinks, and for a regularizer and a constraint at once.
  AsyncGradient(const AsyncGradientOptions& options, MethodInput given);

 private:
  Task<> serve(Agent& me) const override;  // reports x
  Task<> train(Agent& me) const override;
  double step_for(Round tau) const;  // gamma; of a timing-only run only whether it is 0

  ProximalMap P_;
  AsyncGradientOptions options_;
  Round tau_C_;
  double L_ = 0;  // where it is needed and there are numbers
};

}  // namespace lagnet
