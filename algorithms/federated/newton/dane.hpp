#pragma once

#include <string_view>

#include "algorithms/federated/newton/second_order.hpp"

/// DANE: the mean of the minimizers of the clients' own functions, each corrected by the difference of gradients.
///
///     minimize over x   F(x) = sum_k pi_k f_k(x),   f_k(x) = L_k(x) + (b/2) |x|^2,   L_k the mean loss of client k's
///     n_k samples, pi_k = n_k / n, every f_k + (mu/2) |x|^2 strongly convex
///
///     g = sum_k pi_k grad f_k(x)                                                          first round trip        (1)
///     w_k = argmin over z of f_k(z) - (grad f_k(x) - eta g)'z + (mu/2) |z - x|^2          at client k             (2)
///     x <- sum_k pi_k w_k                                                                 second round trip       (3)
///
/// The rate is linear, the better the more the clients' Hessians are alike; where they differ much it needs a mu above
/// 0 and diverges without. With the squared loss, mu = 0 and eta = 1 it is GIANT. (2) is exact (dane_step.hpp): for
/// least squares by a factor, for the logistic loss by as many steps of Newton's method as it takes, so that this needs
/// numbers. A round is two round trips of d numbers each way. Source: Shamir, Srebro, Zhang, "Communication-efficient
/// distributed optimization using an approximate Newton-type method", ICML 2014.
namespace lagnet {

struct DaneOptions {
  static constexpr std::string_view kind = "dane";
  static constexpr std::string_view summary =
      "mean of minimizers of the clients' corrected functions, DANE (Shamir, Srebro, Zhang 2014)";
  static constexpr AlgorithmTraits traits = [] {
    AlgorithmTraits of = second_order_traits("dane needs the gradient of all");
    of.square = SquareStands::in_subproblems;
    of.timing_needs_squared = true;
    return of;
  }();
  double mu = 0, eta = 1;
  static void fields(auto& self, auto& field) {
    field("mu", self.mu, "weight of the distance to the model in the clients' problems", at_least(0));
    field("eta", self.eta, "weight of the mean gradient in the clients' problems", above(0));
  }
};

class Dane final : public SecondOrderMethod {
 public:
  /// Throws Diagnosed as SecondOrderMethod does, and where a client's Hessian may be singular and mu is 0.
  Dane(const DaneOptions& options, MethodInput given);

  /// And two d x d matrices a client.
  std::optional<Bytes> memory() const override;

 private:
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;

  const double mu_, eta_;
};

}  // namespace lagnet
