#include "algorithms/kernels/minibatches.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

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

}  // namespace lagnet::minibatches_test
