#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/bases/composite.hpp"

/// The base of methods whose rounds have random numbers of local steps: a round is what lies between two
/// communications, T steps, T the same for all, the number of throws until a coin shows heads, which it does with
/// probability p. All clients know it without a message, from the shared seed.
namespace lagnet {

/// Traits of these methods, whose options have step, p, mu and L, and why no message may be missing.
constexpr AlgorithmTraits coin_traits(const auto& options, Regularizers regularizers, std::string_view every_message) {
  const bool knows_p = options.p || (options.mu && options.L);
  return {.server = true,
          .partition_by = PartitionBy::samples,
          .takes_regularizers = regularizers,
          .square = SquareStands::in_every_f,
          .every_message = every_message,
          .timing_only = knows_p,
          .timing_needs = knows_p ? std::string_view() : "p, or mu and L",
          .draws_work = true};
}
/// Declares step, p, mu and L.
void declare_coin(auto& self, auto& field, const char* p_words) {
  field("step", self.step, "s, step size of the local steps; null: 1/L", above(0));
  field("p", self.p, p_words, above_to(0, 1));
  declare_curvature_of_parts(self, field);
}
constexpr double least_p = 1e-6;
void check_coin(const auto& self, auto& report) {
  if (self.p && *self.p > 0 && *self.p < least_p)
    report("p", "at least 1e-6, which makes a million local steps a round", *self.p);
  check_curvature_of_parts(self, report);
}

class CoinMethod : public CompositeMethod {
 protected:
  struct Coin {
    std::optional<double> step, p, mu, L;  // the options
    double throws = 1;                     // p = sqrt(throws / kappa), at most 1, kappa = L/mu, unless given
  };
  /// Throws Diagnosed as CompositeMethod does, for mu above L, and a mu of 0 where p follows from it.
  CoinMethod(std::string_view kind, const AlgorithmTraits& traits, const Coin& coin, MethodInput given,
             Index client_vectors);

  /// T of a round.
  virtual Index local_steps(const Agent& me, Round round) const;

  double s_ = 0;  // without numbers not known
  double p_ = 1;
};

}  // namespace lagnet
