#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/federated/bases/federated.hpp"
#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"

/// The base of methods whose clients take full gradients of strongly convex parts, and whose server may have a prox:
///
///     minimize over w   F(w) = f(w) + r(w),   f(w) = sum_k pi_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,
///
/// L_k the mean loss of client k's n_k samples, pi_k = n_k / n. Of the problem's regularizer, (b/2) |w|^2 is a part of
/// every f_k, and r is the rest: 0, the l1 part of an elastic net, or a regularizer without a square.
namespace lagnet {

/// f_k of one client.
class SmoothPart {
 public:
  /// Both must outlive it.
  SmoothPart(const RowBlock& samples, const Loss& loss, double b);

  Vector gradient(VectorRef w) const;  // (d) -> (d)
  /// 4 n_k d + n_k + d flops of dense samples, and 2 d with a square.
  Cost gradient_work() const { return work_; }

 private:
  const RowBlock& samples_;
  const Loss& loss_;
  double b_;
  std::vector<Index> all_;  // rows
  Cost work_;
};

/// Declares L of every f_k.
void declare_largest_curvature_of_parts(auto& self, auto& field) {
  field("L", self.L,
        "largest curvature of every f_k; null: that of any client's mean loss, and the weight of the regularizer's "
        "square",
        above(0));
}
/// Declares L and mu.
void declare_curvature_of_parts(auto& self, auto& field) {
  field("mu", self.mu,
        "strong convexity of every f_k; null: the least eigenvalue of any client's X_k'X_k / n_k for least squares, 0 "
        "for other losses, and the weight of the regularizer's square",
        above(0));
  declare_largest_curvature_of_parts(self, field);
}
void check_curvature_of_parts(const auto& self, auto& report) {
  if (self.mu && self.L && *self.L < *self.mu) report("L", "at least mu", *self.L);
}

class CompositeMethod : public FederatedMethod {
 public:
  std::optional<Bytes> memory() const override;

 protected:
  /// Throws Diagnosed, in the name of a method of that kind, for a loss that has kinks, a constraint, and a
  /// regularizer that its traits do not take. A client keeps that many vectors between rounds.
  CompositeMethod(std::string_view kind, const AlgorithmTraits& traits, MethodInput given, Index client_vectors);

  SmoothPart part_of_client(AgentId k) const { return {clients().samples(k), loss(), b_}; }
  double b() const { return b_; }
  /// L_k of the f_k, by client. Throws Diagnosed for "step" where data are all 0 and b is, too.
  std::vector<double> curvatures() const;
  /// max L_k, or the option L.
  double largest_curvature_of_parts(std::optional<double> L) const;

  /// mu of every f_k, the option or from the data; L is theirs, too. Throws Diagnosed for "mu" unless it is above 0,
  /// and for "L" if L is below it.
  double strong_convexity_of_parts(std::optional<double> mu, double L) const;

  /// argmin over x of step r(x) + |x - v|^2 / 2  (d)
  Vector prox(VectorRef v, double step) const { return P_(v, step); }
  Flops prox_flops() const { return P_.flops(d()); }  // 3 d for l1, 0 without r

 private:
  double b_;
  ProximalMap P_;  // of r
  Index client_vectors_;
};

}  // namespace lagnet
