#pragma once

#include <string_view>

#include "algorithms/federated/newton/second_order.hpp"

/// GIANT: the mean of the clients' own Newton directions for the mean gradient.
///
///     minimize over x   F(x) = sum_k pi_k f_k(x),   f_k(x) = L_k(x) + (b/2) |x|^2,   L_k the mean loss of client k's
///     n_k samples, pi_k = n_k / n, every f_k strongly convex
///
///     g = sum_k pi_k grad f_k(x)                                first round trip                                  (1)
///     p_k = hess f_k(x)^-1 g                                    at client k                                      (2)
///     x <- x - a sum_k pi_k p_k                                 second round trip                                (3)
///
/// with a = 1, or by a line search the first of 4^0, .., 4^-5 with f(x - a p) <= f(x) - 0.1 a g'p, which takes a third
/// round trip. Near the minimizer the rate is linear: the better the more the clients' Hessians are alike, whatever the
/// condition number; the paper has samples that are shared out at random. Where clients differ much it needs the line
/// search, and comes as near as values of f can be compared. Directions are exact, by Cholesky factors, where the paper
/// has conjugate gradients. A round is two round trips of d numbers each way. Source: Wang, Roosta-Khorasani, Xu,
/// Mahoney, "GIANT: globally improved approximate Newton method for distributed optimization", NeurIPS 2018.
namespace lagnet {

struct GiantOptions {
  static constexpr std::string_view kind = "giant";
  static constexpr std::string_view summary =
      "mean of the clients' Newton directions for the mean gradient, GIANT (Wang et al. 2018)";
  static constexpr AlgorithmTraits traits = second_order_traits("giant needs the gradient of all");
  bool line_search = false;
  static void fields(auto& self, auto& field) {
    declare_line_search(self, field,
                        "true: the server takes the first of the steps 1, 1/4, .., 4^-5 with which the objective falls "
                        "enough, by one more exchange");
  }
};

class Giant final : public SecondOrderMethod {
 public:
  /// Throws Diagnosed as SecondOrderMethod does, and where a client's Hessian may be singular.
  Giant(const GiantOptions& options, MethodInput given);

 private:
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;
};

}  // namespace lagnet
