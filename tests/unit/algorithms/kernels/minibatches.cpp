#include "algorithms/kernels/minibatches.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

namespace lagnet::minibatches_test {

namespace {

std::vector<Index> batch_of(const Minibatches& batches, Index step) {
  const auto batch = batches.of_step(step);
  return {batch.begin(), batch.end()};
}

const Draws draws(5, Purpose{"minibatch"}, 2, 7);

}  // namespace

TEST_CASE("a batch has as many different samples as asked, in ascending order, and others from step to step") {
  const Minibatches batches(20, 6, 4, draws);
  for (Index step = 0; step < 4; ++step) {
    const auto batch = batch_of(batches, step);
    REQUIRE(batch.size() == 6);
    CHECK(batch.front() >= 0);
    CHECK(batch.back() < 20);
    CHECK(std::ranges::adjacent_find(batch, std::greater_equal()) == batch.end());
    if (step > 0) CHECK(batch != batch_of(batches, step - 1));
  }
  CHECK(batch_of(Minibatches(20, 6, 2, draws), 1) == batch_of(batches, 1));
}

TEST_CASE("a batch of all samples is all of them in their order, however it is asked for") {
  const std::vector<Index> all{0, 1, 2, 3, 4};
  for (const std::optional<Index> size : {std::optional<Index>(), std::optional<Index>(5), std::optional<Index>(9)})
    for (Index step = 0; step < 3; ++step) CHECK(batch_of(Minibatches(5, size, 3, draws), step) == all);
}

TEST_CASE("every sample is drawn equally often") {
  const Index steps = 30000;
  const Minibatches batches(10, 3, steps, draws);
  std::vector<int> count(10);
  for (Index step = 0; step < steps; ++step)
    for (const Index i : batches.of_step(step)) ++count[static_cast<std::size_t>(i)];
  // Binomial with mean 9000 and deviation sqrt(30000 * 0.3 * 0.7) = 79: within 5 deviations.
  for (const int times : count) CHECK(std::abs(times - 9000) < 400);
}

TEST_CASE("an epoch of reshuffled samples has each of them once, and the last batch has what is left") {
  const Minibatches batches(10, 4, 7, draws, BatchOrder::reshuffle);
  CHECK(batches.steps() == 7);
  CHECK(Minibatches::steps_of_epoch(10, 4) == 3);
  for (Index first = 0; first < 6; first += 3) {
    std::vector<Index> epoch;
    for (Index step = first; step < first + 3; ++step) {
      const auto batch = batch_of(batches, step);
      CHECK(std::ranges::is_sorted(batch));
      CHECK(std::ssize(batch) == (step % 3 < 2 ? 4 : 2));
      CHECK(std::ssize(batch) == batches.size_of_step(step));
      epoch.insert(epoch.end(), batch.begin(), batch.end());
    }
    std::ranges::sort(epoch);
    CHECK(epoch == std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  }
  CHECK(batch_of(batches, 3) != batch_of(batches, 0));  // 1 of 210 epochs would begin alike
  CHECK(batch_of(batches, 6).size() == 4);
}

TEST_CASE("the first batch is the same one whether samples are reshuffled or independent") {
  CHECK(batch_of(Minibatches(20, 6, 1, draws, BatchOrder::reshuffle), 0) == batch_of(Minibatches(20, 6, 1, draws), 0));
}

TEST_CASE("with replacement each place of a batch is a draw of its own") {
  Draws alike = draws;
  const Minibatches batches(3, 2, 50, draws, BatchOrder::with_replacement);
  bool repeats = false;
  for (Index step = 0; step < 50; ++step) {
    std::vector<Index> want{static_cast<Index>(alike.below(3)), static_cast<Index>(alike.below(3))};
    repeats = repeats || want[0] == want[1];
    std::ranges::sort(want);
    CHECK(batch_of(batches, step) == want);
  }
  CHECK(repeats);
  CHECK(batch_of(Minibatches(3, 3, 1, draws, BatchOrder::with_replacement), 0) == std::vector<Index>{0, 1, 2});
}

TEST_CASE("batches without samples have the sizes, and the cost, of those with them") {
  const DataMatrix ones(Matrix(Matrix::Ones(10, 3)));
  const auto rows = std::make_shared<const SampleRows>(ones, Vector::Ones(10));
  const RowBlock samples(rows, 0, 10);
  for (const BatchOrder order : {BatchOrder::independent, BatchOrder::reshuffle, BatchOrder::with_replacement})
    for (const std::optional<Index> size :
         {std::optional<Index>(4), std::optional<Index>(), std::optional<Index>(12)}) {
      const Minibatches drawn(10, size, 7, draws, order), sizes(10, size, 7, Minibatches::Below(), order);
      Cost by_step;
      for (Index step = 0; step < 7; ++step) {
        CHECK(std::ssize(drawn.of_step(step)) == sizes.size_of_step(step));
        by_step = by_step + samples.gradient_work(drawn.of_step(step));
      }
      CHECK(sizes.gradients_work(samples, 1) == by_step);
      CHECK(drawn.gradients_work(samples, 1) == by_step);
    }
}

}  // namespace lagnet::minibatches_test
