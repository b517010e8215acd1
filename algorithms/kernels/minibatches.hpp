#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/kernels/row_block.hpp"
#include "sim/base/array.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Which samples the minibatches of a sequence of local steps have:
///
///   independent       without replacement inside a batch, independent from step to step
///   reshuffle         an epoch goes through all samples in random order, and its last batch has what is left; the next
///                     epoch shuffles again
///   with_replacement  independent samples; a sample that is drawn twice counts twice
enum class BatchOrder { independent, reshuffle, with_replacement };
constexpr auto spellings(BatchOrder) {
  return std::array{Spelling{BatchOrder::independent, "independent"}, Spelling{BatchOrder::reshuffle, "reshuffle"},
                    Spelling{BatchOrder::with_replacement, "with_replacement"}};
}

/// The minibatches of a sequence of local steps: b of n samples each. With b >= n every batch is all samples, in their
/// natural order, and nothing is drawn. Batches list samples in ascending order.
class Minibatches {
 public:
  /// Draws from 0 .. bound - 1.
  using Below = std::function<std::uint64_t(std::uint64_t bound)>;

  /// `size` b, at least 1; none: all samples. The draws belong to these steps alone.
  Minibatches(Index samples, std::optional<Index> size, Index steps, Draws draws,
              BatchOrder order = BatchOrder::independent)
      : Minibatches(
            samples, size, steps, [&draws](std::uint64_t bound) { return draws.below(bound); }, order) {}
  /// With nothing to draw with, batches have sizes only.
  Minibatches(Index samples, std::optional<Index> size, Index steps, const Below& below,
              BatchOrder order = BatchOrder::independent);

  Index steps() const { return steps_; }
  std::span<const Index> of_step(Index step) const;
  Index size_of_step(Index step) const;
  /// The cost of these steps' gradients on a client's samples, of a loss with so many outputs. Batches of sparse rows
  /// need more than sizes.
  Cost gradients_work(const RowBlock& samples, Index outputs) const;
  /// How many steps an epoch of n samples takes.
  static Index steps_of_epoch(Index samples, std::optional<Index> size);

 private:
  void draw(Index samples, const Below& below, bool replaces);

  bool full_;
  Index size_;
  Index steps_;
  Index last_;                // the size of an epoch's last batch
  Index epoch_ = 1;           // steps of an epoch; 1 unless reshuffled
  std::vector<Index> drawn_;  // the batches of all steps, one after the other; or all samples
};

}  // namespace lagnet
