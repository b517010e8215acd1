#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/federated.hpp"
#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"

/// The base of methods in which clients compute gradients at the server's point and nothing else.
///
///     minimize over w, in a set   F(w) = f(w) + r(w),   f(w) = sum_k pi_k L_k(w),   L_k the mean loss of client k's
///     n_k samples, pi_k = n_k / n
///
/// In each round the server sends a point z (d) to the clients that take part, and each answers grad L_k(z) (d): one
/// round trip, 2 d numbers a client. With all clients sum_k pi_k grad L_k is grad f, and the method is the central one;
/// where some are not asked or answer too late, the mean is over those that came, a stochastic gradient, and the
/// iterates reach only a neighborhood of the minimizer.
namespace lagnet {

/// Declares the constants of a gradient step.
template <class Self, class Visitor>
void declare_gradient_step(Self& self, Visitor& field) {
  field("L", self.L, "largest curvature of f; by default that of the loss times |X|^2 / N", above(0));
  field("step", self.step, "s, step size; by default 1/L", above(0));
}

class GradientServer : public FederatedMethod {
 protected:
  /// Throws OptionError for a loss with kinks, for a regularizer and a constraint at once, and for constants out of
  /// their range; `kind` names the method.
  GradientServer(std::string_view kind, std::optional<double> L, std::optional<double> step, MethodInput assignment);

  Task<> train(Agent& me) const override;  // of a client: a gradient of all its samples
  /// 2 m d + 2 d flops and those of P for m answers: their weighted sum, and P(z - s g, s).
  Cost server_work(std::size_t answers) const override { return mean_work(answers, 2 * d() + P_.flops(d()), 4); }

  double s() const { return s_; }
  /// P(z - s sum_k q_k grad L_k(z), s), P the prox of the regularizer, or the projection on the set  (d)
  Vector descend(VectorRef z, std::span<const Message> gradients) const;

 private:
  ProximalMap P_;
  double s_ = 0;  // without numbers not known
};

}  // namespace lagnet
