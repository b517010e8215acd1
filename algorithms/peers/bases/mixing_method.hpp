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
                                        .takes_constraint = true,
                                        .equal_agents = true,
                                        .timing_only = true};

/// Options of a method with a step size that must be given.
struct MixedStep {
  static constexpr AlgorithmTraits traits = mixing_traits;
  double step = 0;  // alpha
  MixingOptions mixing = {};
  static void fields(auto& self, auto& field) {
    declare_step(self, field);
    MixingOptions::fields(self.mixing, field);
  }
  static void declare_step(auto& self, auto& field) {
    field("step", self.step, "alpha, step size", above(0).required());
  }
  void check(auto& report) const { mixing.check(report); }
};

template <class Options>
class MixingMethod : public ProximalMethod<Options> {
 public:
  /// Throws OptionError for constants that cannot be, and for a problem that the method is not for.
  MixingMethod(const Options& options, MethodInput input)
      : ProximalMethod<Options>(options, std::move(input)), mixing_(options.mixing, this->given().network) {
    if constexpr (std::derived_from<Options, MixedStep>) positive("step", options.step);
    if constexpr (!Options::traits.takes_constraint) this->need_smooth(Options::kind);
  }
  std::vector<Constant> constants() const override { return with_mixing(constants_of(this->options())); }

 protected:
  /// Mixes u in the place.
  Task<> mix(Agent& me, StateVector& u) const { return mixing_.mix(me, u); }
  std::vector<Constant> with_mixing(std::vector<Constant> values) const {
    values.insert(values.end(), {{"K", static_cast<double>(mixing_.rounds())}, {"rho_K", mixing_.rho()}});
    return values;
  }

  const Mixing mixing_;
};

}  // namespace lagnet
