#include "algorithms/kernels/minibatches.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

Minibatches::Minibatches(Index samples, std::optional<Index> size, Index steps, Draws draws)
    : full_(!size || *size >= samples), size_(full_ ? samples : *size) {
  LAGNET_CHECK(samples >= 1 && size_ >= 1, "batches of {} of {} samples", size_, samples);
  if (steps == 0) return;
  std::vector<Index> order(static_cast<std::size_t>(samples));
  std::iota(order.begin(), order.end(), Index{0});
  if (full_) {
    drawn_ = std::move(order);
    return;
  }
  for (Index step = 0; step < steps; ++step) {
    // The front of a Fisher-Yates shuffle is a uniform choice from whatever order the step before has left.
    for (Index i = 0; i < size_; ++i) {
      const auto other = i + static_cast<Index>(draws.below(static_cast<std::uint64_t>(samples - i)));
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(other)]);
    }
    const auto batch = drawn_.insert(drawn_.end(), order.begin(), order.begin() + size_);
    std::sort(batch, drawn_.end());
  }
}

std::span<const Index> Minibatches::of_step(Index step) const {
  if (full_) return drawn_;
  return std::span(drawn_).subspan(static_cast<std::size_t>(step * size_), static_cast<std::size_t>(size_));
}

}  // namespace lagnet
