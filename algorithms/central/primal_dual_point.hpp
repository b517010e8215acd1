#pragma once

#include <optional>
#include <vector>

#include "algorithms/central/duality_proof.hpp"
#include "algorithms/central/extended_sum.hpp"
#include "algorithms/problem/data_matrix.hpp"
#include "algorithms/problem/weighted_loss.hpp"

namespace lagnet {

/// The change by lam'': |lam''_i - lam_i| <= root_weights_i nu, whose squares over the weights add up to nu^2 at most.
struct Correction {
  double nu;
  Vector root_weights;  // sqrt(w) (n)
};

/// The claimed theta and its dual point lam, with bounds on what rounding does to both. Bounds the first sum of
/// proven_gap, over samples, at lam and at a lam'' whose q'' is given. c are the outputs of the loss.
class PrimalDualPoint {
 public:
  explicit PrimalDualPoint(const Claim& claim);  // whose problem and theta must outlive it

  const BoundedVector& scores() const { return scores_; }  // X theta (n c)
  const Vector& lam() const { return lam_; }               // of a smooth loss about l'(a) (n c)
  const BoundedVector& pull() const { return pull_; }      // X'lam, of a smooth loss with the exact l'(a) (dim)

  /// At least value - F(theta).
  double rounding_of_value() const;
  /// At least the first sum at lam.
  double sum_of_losses() const;
  /// At least what `made` adds to the first sum.
  double change(const Correction& made) const;

  /// Bounds the change to a lam'' in the domain of l* whose q'' is that of target (dim) in these columns of X. Tries
  /// the curvature of the loss as metric, or three metrics if the loss has kinks. Nothing if no lam'' is proven.
  std::optional<Correction> corrected(const std::vector<Index>& columns, const Vector& target) const;
  /// The same in the metric 1/weights, weights >= 0 (n). With stays_in_domain, a weight is set to 0 if its lam_i would
  /// leave the domain of l*; without, lam'' may be anywhere.
  std::optional<Correction> corrected(const std::vector<Index>& columns, Vector weights, const Vector& target,
                                      bool stays_in_domain) const;

 private:
  static constexpr double u = unit_roundoff;

  bool is_smooth() const { return problem_.loss->smoothness().has_value(); }
  void settle_flat_pieces();
  double slope_error(Index i) const;
  double slope(Index i) const;
  double distance_to_kink(Index i) const;
  Vector metric(double power) const;
  double room(Index i) const;  // how far lam''_i may be from lam_i

  const Problem& problem_;
  const Vector& theta_;
  double value_, samples_;
  Index n_, c_;
  SampleLoss sample_;
  BoundedVector scores_;
  Vector lam_, radius_;  // l'(a), or what stands for it, is within the radius of lam (n c)
  double settled_ = 0;   // what the samples add to the first sum whose lam is not l'(a)
  BoundedVector pull_;   // X'lam (dim)
};

}  // namespace lagnet
