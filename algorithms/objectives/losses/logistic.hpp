#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// l(a, y) = log(1 + exp(-y a)) with labels y in {-1, +1}. l* has the domain -1 <= y lam <= 0; prox_conjugate is always
/// strictly inside it.
struct LogisticOptions : NoOptions {
  static constexpr std::string_view kind = "logistic";
  static constexpr std::string_view summary = "log(1 + exp(-y a)), labels -1 and +1";
};

std::shared_ptr<const Loss> make_loss(const LogisticOptions& options);

}  // namespace lagnet
