#pragma once

#include <optional>

#include "algorithms/federated/compressed/compressed_method.hpp"

/// The base of methods whose server moves along an estimate g of grad f, which clients' answers q_k move:
///
///     g <- g + sum_k pi_k q_k            in a round whose answers are compressed, over those who were asked       (1)
///     g = sum_k pi_k grad f_k(x)         in a full round, whose answers are gradients as they are                (2)
///     x <- prox of s r at x - s g                                                                                (3)
///
/// Round 1 asks all clients, whatever the scenario says of later ones.
namespace lagnet {

/// Declares L where L_f, or L~ alone, follows from it.
void declare_curvature_of_mean(auto& self, auto& field) {
  field("L", self.L,
        "a bound on both L_f, the largest curvature of f, and L~, the root of the weighted mean of the clients' "
        "squared ones; null: from the data",
        above(0));
}

class EstimateMethod : public CompressedMethod {
 protected:
  using CompressedMethod::CompressedMethod;

  /// Whether clients answer with their gradients as they are.
  virtual bool is_full(const Agent&, Round) const { return false; }
  /// Whether requests have the model of the round before after the new one, from round 2 on.
  virtual bool sends_last_model() const { return false; }

  /// L_f of f, or the option L.
  double curvature_of_mean(std::optional<double> L) const;
  /// L~, where L~^2 = sum_k pi_k L_k^2, L_k of f_k; or the option L.
  double mean_curvature(std::optional<double> L) const;

  double s_ = 0;  // without numbers not known

 private:
  Task<> serve(Agent& me) const override;  // reports x and g (d each)
};

}  // namespace lagnet
