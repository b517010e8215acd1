#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "algorithms/compression/symmetric.hpp"
#include "algorithms/federated/newton/second_order.hpp"
#include "algorithms/interface/compression.hpp"

/// FedNL: Newton's method by an estimate of the Hessian that compressed differences move.
///
///     minimize over x   F(x) = sum_k pi_k f_k(x),   f_k(x) = L_k(x) + (b/2) |x|^2,   L_k the mean loss of client k's
///     n_k samples, pi_k = n_k / n
///
/// Client k keeps an estimate H_k of its Hessian, the server their mean H = sum_k pi_k H_k. Q is a contractive
/// compressor of symmetric matrices.
///
///     D_k = hess f_k(x) - H_k,   S_k = Q(D_k),   l_k = |D_k|_F,   H_k <- H_k + alpha S_k     at client k        (1)
///     x <- x - [H]_mu^-1 g                      option 1, at the server: eigenvalues below mu raised to mu       (2)
///     x <- x - (H + l I)^-1 g                   option 2                                                        (3)
///     H <- H + alpha sum_k pi_k S_k             after the step, which takes the H of the rounds before          (4)
///
/// with g and l the means of grad f_k(x) and of the l_k. H_k starts from hess f_k at the start, sent once in round 1,
/// or from 0. Near the minimizer of a strongly convex F the rate is superlinear, whatever the condition number and
/// however the clients differ. With the identity and alpha = 1 it is Newton's method with the Hessian of the last
/// iterate but one; least squares then take one step. A line search, of option 1 alone, makes it converge from afar:
/// one more exchange, in which the server sends p = [H]_mu^-1 g, clients answer f_k(x) and f_k(x - a p) for a = 1, 1/2,
/// .., 2^-9, and the server takes the first with f(x - a p) <= f(x) - (a/2) g'p.
///
/// A round is a round trip: d numbers down, d and an encoding up. Source: Safaryan, Islamov, Qian, Richtarik, "FedNL:
/// making Newton-type methods applicable to federated learning", ICML 2022, algorithm 1, and 3 for the line search.
namespace lagnet {

/// What clients know of their Hessians at first.
enum class HessianStart { exact, zero };
constexpr auto spellings(HessianStart) {
  return std::array{Spelling{HessianStart::exact, "exact"}, Spelling{HessianStart::zero, "zero"}};
}

struct FedNlOptions {
  static constexpr std::string_view kind = "fednl";
  static constexpr std::string_view summary =
      "Newton's method from compressed differences of Hessians, FedNL (Safaryan et al. 2022)";
  static constexpr AlgorithmTraits traits = second_order_traits("fednl's matrices must add up");
  std::int64_t option = 1;
  double alpha = 1;
  std::optional<double> mu = {};
  HessianStart hessian_start = HessianStart::exact;
  MatrixCompressorOptions compressor = {};
  bool line_search = false;
  static void fields(auto& self, auto& field) {
    field("option", self.option,
          "how the estimate becomes positive definite: 1, by raising its eigenvalues to mu; 2, by adding the clients' "
          "mean error in the Frobenius norm to its diagonal");
    field("alpha", self.alpha, "how fast the estimate moves", above_to(0, 1));
    field("mu", self.mu, "option 1: the least eigenvalue of what is inverted; null: the weight of the l2 regularizer",
          at_least(0));
    field("hessian_start", self.hessian_start,
          "exact: clients send their Hessians at the start in round 1; zero: estimates start from 0");
    MatrixCompressorOptions::declare(self, field);
    declare_line_search(self, field,
                        "option 1: true: the server takes the first of the steps 1, 1/2, .., 2^-9 with which the "
                        "objective falls enough, by one more exchange");
  }
  void check(auto& report) const {
    if (option != 1 && option != 2) report("option", "1 or 2", option);
    if (option == 1) return;
    if (line_search) report("line_search", "false with option 2", "true");
    if (mu) report("mu", "none with option 2", *mu);
  }
};

class FedNl final : public SecondOrderMethod {
 public:
  /// Throws Diagnosed as SecondOrderMethod does, for a compressor that cannot be, and where mu would be 0.
  FedNl(const FedNlOptions& options, MethodInput given);

  std::optional<Bytes> memory() const override;

 private:
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;

  Index q() const { return packed_size(d()); }
  bool raises() const { return options_.option == 1; }  // eigenvalues: option 1
  bool sends_hessian(Round t) const { return t == 1 && options_.hessian_start == HessianStart::exact; }
  /// g, S, l with option 2, and the clients' estimates where they are sent.
  Index numbers_up(Round t) const { return d() + q() + (raises() ? 0 : 1) + (sends_hessian(t) ? q() : 0); }
  Vector direction(VectorRef H, VectorRef g, double l) const;
  Cost direction_work(Index answers, Round t) const;

  const FedNlOptions options_;
  const Compression Q_;  // of packed matrices
  double mu_ = 0;
};

}  // namespace lagnet
