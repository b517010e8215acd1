#pragma once

#include <concepts>
#include <utility>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/mixing.hpp"
#include "algorithms/peers/peers.hpp"

/// What methods share that mix: their options, the prox or projection P, and the mixing with W^K.
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
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    declare_step(self, field);
    MixingOptions::fields(self.mixing, field);
  }
  template <class Self, class Visitor>
  static void declare_step(Self& self, Visitor& field) {
    field("step", self.step, "alpha, step size", above(0).required());
  }
  template <class Report>
  void check(Report& report) const {
    mixing.check(report);
  }
};

template <class Options>
class MixingMethod : public PeerAlgorithm {
 public:
  /// Throws OptionError for constants that cannot be, and for a problem that the method is not for.
  MixingMethod(const Options& options, MethodInput input)
      : PeerAlgorithm(std::move(input), Options::kind),
        P_(given().problem, Options::kind),
        mixing_(options.mixing, given().network),
        options_(options) {
    if constexpr (std::derived_from<Options, MixedStep>) positive("step", options.step);
  }
  std::vector<Constant> constants() const override { return with_mixing(constants_of(options_)); }

 protected:
  const Options& options() const { return options_; }
  /// Mixes u in the place.
  Task<> mix(Agent& me, StateVector& u) const { return mixing_.mix(me, u); }
  /// Of a kernel that applies P once: `each` flops for every entry of a vector beside it, and so many vectors read or
  /// written.
  Cost prox_work(Index each, Index vectors) const { return vector_work(each, vectors) + Cost(P_.flops(d())); }
  std::vector<Constant> with_mixing(std::vector<Constant> values) const {
    values.insert(values.end(), {{"K", static_cast<double>(mixing_.rounds())}, {"rho_K", mixing_.rho()}});
    return values;
  }

  const ProximalMap P_;
  const Mixing mixing_;

 private:
  const Options options_;
};

}  // namespace lagnet
