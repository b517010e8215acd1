#pragma once

#include <cmath>
#include <concepts>
#include <utility>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/interface/rate_bound.hpp"
#include "algorithms/peers/bases/descent_direction.hpp"
#include "algorithms/peers/bases/mixing.hpp"
#include "algorithms/peers/bases/peers.hpp"
#include "algorithms/peers/bases/steps.hpp"

namespace lagnet {

/// Methods of peers that apply a prox or a projection P: their options, and what P costs.
template <class Options>
class ProximalMethod : public PeerAlgorithm {
 protected:
  /// Throws Diagnosed for a problem with both, and as PeerAlgorithm does.
  ProximalMethod(const Options& options, MethodInput input)
      : PeerAlgorithm(std::move(input), Options::kind, Options::traits),
        P_(with_the_rest(given().problem, Options::traits), Options::kind),
        options_(options) {}

  const Options& options() const { return options_; }
  /// The cost of a kernel that applies P once: in addition `each` flops for every entry of a vector, and the vectors
  /// read or written.
  Cost prox_work(Index each, Index vectors) const { return vector_work(each, vectors) + Cost(P_.flops(d())); }

  const ProximalMap P_;

 private:
  const Options options_;
};

/// Methods of one agent that holds all samples, the scale for distributed methods. Their options are steps that need
/// not be given.
template <class Options>
class OneAgentMethod : public ProximalMethod<Options> {
 public:
  /// Throws Diagnosed for constants that cannot be, and for a problem that the method is not for.
  OneAgentMethod(const Options& options, MethodInput input) : ProximalMethod<Options>(options, std::move(input)) {
    this->need_one_agent(Options::kind);
    steps_ = options.in_use(this->given());
  }
  std::vector<Constant> constants() const override { return steps_.constants(); }

 protected:
  decltype(Options().in_use(std::declval<MethodInput>())) steps_;
};

/// Methods of peers that mix, and apply a prox or a projection.
constexpr AlgorithmTraits mixing_traits{.partition_by = PartitionBy::samples,
                                        .needs_gossip = true,
                                        .takes_regularizers = Regularizers::all,
                                        .takes_constraint = true,
                                        .takes_even_weights = true,
                                        .timing_only = true};

/// The constants of theoretical step sizes.
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

/// The base of methods that mix: their options, the prox or projection P, and the mixing with W^K.
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
    std::erase(values, Constant("momentum", 0));
    if (alpha_ > 0) values.insert(values.begin(), {"step", alpha_});
    return with_mixing(std::move(values));
  }

 protected:
  /// What theory of methods with a constant step, one round of W a mixing and exact gradients takes of a problem
  /// without a prox; nothing where a round is another one, or where mu = 0.
  struct PlainTheory {
    double L = 0, mu = 0;   // curvatures of every f_i
    double resolution = 0;  // how far the optimum that was found may be from the true one
  };
  std::optional<PlainTheory> plain_theory(const ErrorScale& scale) const {
    const MethodInput& given = this->given();
    if (!is_undisturbed(given) || given.network.agents < 2 || mixing_.rounds() != 1 || mixing_.is_accelerated() ||
        !this->P_.is_identity() || this->options().direction.batch || this->options().direction.momentum != 0 ||
        !scale.minimizer || !scale.optimum)
      return std::nullopt;
    const double mu = is_too_much(given) ? this->own_l2_weight() : this->least_curvature_of_agents().value;
    if (!(mu > 0)) return std::nullopt;
    return PlainTheory{.L = this->largest_curvature_of_agents("step"),
                       .mu = mu,
                       .resolution = std::sqrt(2 * scale.floor * (scale.initial - *scale.optimum) / mu)};
  }
  /// Of an agent of a method whose options have a `direction`.
  DescentDirection direction_of(const Agent& me) const { return {*this, this->options().direction, me}; }
  /// Mixes u in the place.
  Task<> mix(Agent& me, StateVector& u) const { return mixing_.mix(me, u); }
  std::vector<Constant> with_mixing(std::vector<Constant> values) const {
    values.insert(values.end(), {{"K", static_cast<double>(mixing_.rounds())}, {"rho_K", mixing_.rho()}});
    return values;
  }

  const Mixing mixing_;
  double alpha_ = 0;  // the step size of those that have one; 0 in a timing-only run where theory gives it
};

/// `Steps`: options with a function in_use().
template <class Steps>
struct MixedSteps {
  static constexpr AlgorithmTraits traits = mixing_traits;
  Steps steps = {};
  MixingOptions mixing = {};
  static void fields(auto& self, auto& field) {
    Steps::fields(self.steps, field);
    MixingOptions::fields(self.mixing, field);
  }
  void check(auto& report) const {
    steps.check(report);
    mixing.check(report);
  }
};

/// The base of methods that mix and track a mean over all agents. Their steps need not be given, and their theory wants
/// W^K positive semidefinite.
template <class Options>
class TrackingMethod : public MixingMethod<Options> {
 public:
  TrackingMethod(const Options& options, MethodInput input)
      : MixingMethod<Options>(options, std::move(input)), steps_(options.steps.in_use(this->given())) {}
  std::vector<Constant> constants() const override { return this->with_mixing(steps_.constants()); }
  Remarks warnings() const override { return this->mixing_.semidefinite_warnings(); }

 protected:
  const decltype(Options().steps.in_use(std::declval<MethodInput>())) steps_;
};

}  // namespace lagnet
