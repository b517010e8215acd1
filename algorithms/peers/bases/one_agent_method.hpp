#pragma once

#include <utility>

#include "algorithms/peers/bases/proximal_method.hpp"
#include "algorithms/peers/bases/steps.hpp"

namespace lagnet {

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

}  // namespace lagnet
