#pragma once

#include <utility>

#include "algorithms/peers/bases/mixing_method.hpp"
#include "algorithms/peers/bases/steps.hpp"

/// The base of methods that mix and track a mean over all agents. Their steps need not be given, and their theory wants
/// W^K positive semidefinite.
namespace lagnet {

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
