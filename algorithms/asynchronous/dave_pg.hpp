#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "algorithms/asynchronous/asynchronous_method.hpp"
#include "algorithms/interface/proximal_map.hpp"

/// DAve-PG, delay-tolerant proximal gradient descent; with p > 1 repetitions DAve-RPG.
///
///     minimize over w, in a set   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples,
///     pi_k = n_k / n
///
/// A client keeps x_k. When it gets xbar it takes p proximal gradient steps, from D = 0,
///
///     z = P(xbar + D, gamma),   y = z - gamma grad L_k(z),   D <- D + pi_k (y - x_k),   x_k <- y               (3.9)
///
/// and sends D; the server adds it to xbar, and the model is P(xbar, gamma):
///
///     xbar <- xbar + D                                                                                       (3.10)
///
/// P is the prox of gamma r, or the projection on the set. At all times xbar and the D under way are sum_k pi_k x_k
/// together. The limit is the minimizer of F whatever the speeds, for any gamma up to 2 / (mu + L): that depends
/// neither on delays nor on the number of clients. L is the largest, mu the smallest curvature of any L_k. An update is
/// an answer, 2 messages of d numbers. A D that is lost would be missing for ever: where messages can be lost, or
/// clients forget, they send x_k whole, and the server finds D. Source: Mishchenko, Iutzeler, Malick, "A distributed
/// flexible delay-tolerant proximal gradient algorithm", SIAM Journal on Optimization 30, 2020, Algorithms 1 and 2;
/// whole messages are an addition.
namespace lagnet {

enum class DaveMessages { difference, whole };
constexpr auto spellings(DaveMessages) {
  return std::array{Spelling{DaveMessages::difference, "difference"}, Spelling{DaveMessages::whole, "whole"}};
}

struct DavePgOptions {
  static constexpr std::string_view kind = "dave_pg";
  static constexpr std::string_view summary =
      "delay-tolerant proximal gradient descent, DAve-PG (Mishchenko, Iutzeler, Malick 2020)";
  static constexpr AlgorithmTraits traits = also_with_a_constraint(asynchronous_traits);
  std::optional<double> step = {};  // gamma
  std::int64_t repetitions = 1;     // p
  std::optional<DaveMessages> send = {};
  Assignment assignment = Assignment::same;
  std::optional<double> resend_ms = {};
  static void fields(auto& self, auto& field) {
    field("step", self.step, "gamma, step size, at most 2 / (mu + L), the curvatures of clients' losses; null: 1/L",
          above(0));
    field("repetitions", self.repetitions, "p, proximal gradient steps of a client for an answer", at_least(1));
    field(
        "send", self.send,
        "difference, D, or whole, x_k, from which the server finds D: the same but for rounding, and repairable; null: "
        "whole where messages can be lost or agents are away, else difference");
    declare_assignment(self, field);
    declare_resend(self, field);
  }
};

class DavePg final : public AsynchronousMethod<FederatedMethod> {
 public:
  /// Throws Diagnosed for a loss with kinks, and for a regularizer and a constraint at once.
  DavePg(const DavePgOptions& options, MethodInput given);

  /// Of P(xbar, gamma), which the recorder computes; the server reports xbar (d).
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  std::optional<Bytes> memory() const override;

 private:
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;
  /// Warns of a step above 2 / (mu + L), L the largest and mu the smallest curvature of the L_k.
  void warn_of_long_step();

  ProximalMap P_;
  double gamma_ = 0;  // not known without numbers where theory gives it
  Index p_;
  bool sends_whole_;
  Assignment assignment_;
};

}  // namespace lagnet
