#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/prox.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// r(theta) = 0: the elastic net of weights 0, whose prox is the identity and whose conjugate is the indicator of 0.
struct NoneOptions : NoOptions {
  static constexpr std::string_view kind = "none";
  static constexpr std::string_view summary = "no regularizer";
};

std::shared_ptr<const Regularizer> make_regularizer(const NoneOptions& options);

}  // namespace lagnet
