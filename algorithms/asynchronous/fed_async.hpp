#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "algorithms/asynchronous/asynchronous_method.hpp"

/// Asynchronous federated optimization.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, pi_k = n_k / n
///
/// A client that gets w takes E local steps from x = w, on minibatches of its samples, and sends x:
///
///     x <- x - eta (grad L_k(x) + r'(x) + rho (x - w))                                                         (3.1)
///
/// The server mixes each x_k in as it comes, by weights that fall with its staleness tau:
///
///     x <- (1 - alpha_t) x + alpha_t x_k,   alpha_t = alpha s(tau)                                             (3.2)
///     s(tau) = 1;   (tau + 1)^-a;   or 1 for tau <= b, else 1 / (a (tau - b) + 1)                              (3.3)
///
/// No weights pi_k enter: all answers count alike, so that the limit is that of F where clients have equal n_k and
/// answer equally often; otherwise these frequencies are weights. A large mixing weight keeps the server's model near
/// the client that answered last. An update is an answer: 2 messages of d numbers. Source: Xie, Koyejo, Gupta,
/// "Asynchronous federated optimization", 2019, Algorithm 1, where alpha and s are called so, too.
namespace lagnet {

enum class Discount { constant, polynomial, hinge };
constexpr auto spellings(Discount) {
  return std::array{Spelling{Discount::constant, "constant"}, Spelling{Discount::polynomial, "polynomial"},
                    Spelling{Discount::hinge, "hinge"}};
}

/// s(tau), by which stale answers count less.
struct DiscountOptions {
  Discount kind = Discount::constant;
  std::optional<double> a = {}, b = {};
  static void fields(auto& self, auto& field) {
    field("kind", self.kind,
          "constant: 1; polynomial: (tau + 1)^-a; hinge: 1 up to b, then 1 / (a (tau - b) + 1), which makes most "
          "answers count for little where more than b + 1 clients are at work");
    field("a", self.a, "null: 0.5 for polynomial, 10 for hinge", at_least(0));
    field("b", self.b, "of hinge, in updates; null: 4", at_least(0));
  }
  void check(auto& report) const {
    if (a && kind == Discount::constant) report("a", "null for a constant", *a);
    if (b && kind != Discount::hinge) report("b", "null for other kinds than hinge", *b);
  }
  double of(Round tau) const;  // (3.3)
};

struct FedAsyncOptions {
  static constexpr std::string_view kind = "fed_async";
  static constexpr std::string_view summary = "asynchronous federated optimization (Xie, Koyejo, Gupta 2019)";
  static constexpr AlgorithmTraits traits = with_square(asynchronous_traits, SquareStands::in_subgradient);
  std::int64_t local_steps = 1;  // E
  std::optional<std::int64_t> batch = {};
  double client_step = 0;  // eta
  double mixing = 0.6;     // alpha
  DiscountOptions staleness = {};
  double proximal = 0;  // rho
  Assignment assignment = Assignment::same;
  std::optional<double> resend_ms = {};
  static void fields(auto& self, auto& field) {
    declare_local_steps(self, field);
    field("client_step", self.client_step, "eta, step size of the local steps: 0.1", above(0).required());
    field("mixing", self.mixing, "alpha, the weight of a fresh answer in the new model", above_to(0, 1));
    field("staleness", self.staleness, "s, the factor on the weight of an answer that is tau updates old");
    field("proximal", self.proximal, "rho, weight of the distance to the server's model in local steps", at_least(0));
    declare_assignment(self, field);
    declare_resend(self, field);
  }
};

class FedAsync final : public AsynchronousMethod<FederatedMethod> {
 public:
  /// Throws Diagnosed if the regularizer offers no subgradient, or for a problem with a constraint.
  FedAsync(const FedAsyncOptions& options, MethodInput given);

 private:
  Task<> serve(Agent& me) const override;  // reports x
  Task<> train(Agent& me) const override;
  /// 2 d flops and the subgradient's, 3 d more with rho.
  Cost step_work() const;

  FedAsyncOptions options_;
};

}  // namespace lagnet
