#include "algorithms/kernels/minibatches.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

Index Minibatches::steps_of_epoch(Index samples, std::optional<Index> size) {
  return !size || *size >= samples ? 1 : (samples + *size - 1) / *size;
}

Minibatches::Minibatches(Index samples, std::optional<Index> size, Index steps, const Below& below, BatchOrder order)
    : full_(!size || *size >= samples), size_(full_ ? samples : *size), steps_(steps), last_(size_) {
  LAGNET_CHECK(samples >= 1 && size_ >= 1, "batches of {} of {} samples", size_, samples);
  if (order == BatchOrder::reshuffle) {
    epoch_ = steps_of_epoch(samples, size);
    last_ = samples - (epoch_ - 1) * size_;
  }
  if (below && steps > 0) draw(samples, below, order == BatchOrder::with_replacement);
}

void Minibatches::draw(Index samples, const Below& below, bool replaces) {
  const auto drawn_below = [&below](Index n) { return static_cast<Index>(below(static_cast<std::uint64_t>(n))); };
  std::vector<Index> order(static_cast<std::size_t>(samples));
  std::iota(order.begin(), order.end(), Index{0});
  if (full_) {
    drawn_ = std::move(order);
    return;
  }
  for (Index step = 0; step < steps_; ++step) {
    const Index first = step % epoch_ * size_, end = first + size_of_step(step), before = std::ssize(drawn_);
    for (Index i = first; i < end; ++i) {
      if (replaces) {
        drawn_.push_back(drawn_below(samples));
        continue;
      }
      // The front of a Fisher-Yates shuffle is a uniform choice from whatever order the step before has left, and an
      // epoch is a whole shuffle.
      const Index other = i + drawn_below(samples - i);
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(other)]);
      drawn_.push_back(order[static_cast<std::size_t>(i)]);
    }
    std::sort(drawn_.begin() + before, drawn_.end());
  }
}

Index Minibatches::size_of_step(Index step) const { return step % epoch_ == epoch_ - 1 ? last_ : size_; }

std::span<const Index> Minibatches::of_step(Index step) const {
  if (full_) return drawn_;
  const Index epochs = step / epoch_, of_epoch = (epoch_ - 1) * size_ + last_;
  return std::span(drawn_).subspan(static_cast<std::size_t>(epochs * of_epoch + step % epoch_ * size_),
                                   static_cast<std::size_t>(size_of_step(step)));
}

Cost Minibatches::gradients_work(const RowBlock& samples, Index outputs) const {
  if (samples.is_sparse()) {
    Cost all;
    for (Index j = 0; j < steps_; ++j) all = all + samples.gradient_work(of_step(j), outputs);
    return all;
  }
  const Index ends = steps_ / epoch_;  // batches that end an epoch
  const Cost usual = samples.dense_gradient_work(size_, outputs), last = samples.dense_gradient_work(last_, outputs);
  return Cost((steps_ - ends) * usual.flops + ends * last.flops, (steps_ - ends) * usual.bytes + ends * last.bytes);
}

}  // namespace lagnet
