#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/base/array.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

/// The minibatches of a sequence of local steps: b of n samples each, without replacement inside a batch, independent
/// from step to step. With b >= n every batch is all samples, in their natural order, and nothing is drawn. Batches
/// list samples in ascending order.
class Minibatches {
 public:
  /// `size` b, at least 1; none: all samples. The draws belong to these steps alone.
  Minibatches(Index samples, std::optional<Index> size, Index steps, Draws draws);
  std::span<const Index> of_step(Index step) const;

 private:
  bool full_;
  Index size_;
  std::vector<Index> drawn_;  // the batches of all steps, one after the other; or all samples
};

}  // namespace lagnet
