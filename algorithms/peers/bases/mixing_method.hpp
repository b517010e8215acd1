#pragma once

#include <concepts>
#include <utility>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/peers/bases/mixing.hpp"
#include "algorithms/peers/bases/proximal_method.hpp"

/// The base of methods that mix: their options, the prox or projection P, and the mixing with W^K.
namespace lagnet {

/// Methods of peers that mix, and apply a prox or a projection.
constexpr AlgorithmTraits mixing_traits{.partition_by = PartitionBy::samples,
                                        .needs_gossip = true,
                                        .takes_regularizers = Regularizers::all,
                                        .takes_constraint = true,
                                        .takes_even_weights = true,
                                        .timing_only = true};

/// What theory takes a step size from.
struct StepTheory {
  double L = 0;       // the largest curvature of any f_i
  double lowest = 0;  // the smallest eigenvalue of W^K
};

/// Options of a method with a step size, which theory_step() gives where the options do not:
///
///     double theory_step(const StepTheory& of) const;
struct MixedStep {
  static constexpr AlgorithmTraits traits = mixing_traits;
  std::optional<double> step = {};  // alpha
  MixingOptions mixing = {};
  static void fields(auto& self, auto& field) {
    declare_step(self, field);
    MixingOptions::fields(self.mixing, field);
  }
  static void declare_step(auto& self, auto& field) {
    field("step", self.step,
          "alpha, step size; theory: from L, the largest curvature of any f_i, and the smallest eigenvalue of W^K, as "
          "the "
          "method's source or header says",
          above(0).or_word("theory"));
  }
  void check(auto& report) const { mixing.check(report); }
};

template <class Options>
class MixingMethod : public ProximalMethod<Options> {
 public:
  /// Throws Diagnosed for constants that cannot be, and for a problem that the method is not for.
  MixingMethod(const Options& options, MethodInput input)
      : ProximalMethod<Options>(options, std::move(input)), mixing_(options.mixing, this->given().network) {
    if (mixing_.is_accelerated() && (this->given().may_miss_rounds || this->given().network.changes))
      throw Diagnosed("acceleration", "none, since messages may be missing or the topology changes", "chebyshev");
    if constexpr (std::derived_from<Options, MixedStep>) {
      if (options.step)
        alpha_ = positive("step", *options.step);
      else if (!this->given().timing_only)
        alpha_ = options.theory_step({.L = this->largest_curvature_of_agents("step"), .lowest = mixing_.lowest()});
    }
  }
  std::vector<Constant> constants() const override {
    std::vector<Constant> values = constants_of(this->options());
    if (alpha_ > 0) values.insert(values.begin(), {"step", alpha_});
    return with_mixing(std::move(values));
  }

 protected:
  /// Mixes u in the place.
  Task<> mix(Agent& me, StateVector& u) const { return mixing_.mix(me, u); }
  std::vector<Constant> with_mixing(std::vector<Constant> values) const {
    values.insert(values.end(), {{"K", static_cast<double>(mixing_.rounds())}, {"rho_K", mixing_.rho()}});
    return values;
  }

  const Mixing mixing_;
  double alpha_ = 0;  // the step size of those that have one; 0 in a timing-only run where theory gives it
};

}  // namespace lagnet
