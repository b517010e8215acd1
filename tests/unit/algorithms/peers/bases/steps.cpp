#include "algorithms/peers/bases/steps.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/central/problems.hpp"
#include "tests/unit/algorithms/known_reference.hpp"

namespace lagnet::steps_test {

namespace {

/// Least squares of 5 samples with |X| = 4: L = 16/5.
MethodInput least_squares() {
  MethodInput given{.problem = testing::make_problem(Matrix::Ones(5, 2), Vector::Zero(5), make_loss(SquaredOptions{}),
                                                     make_regularizer(NoneOptions{}))};
  given.central = std::make_shared<const test::KnownReference>(4);
  return given;
}

template <class Options>
std::string refused(const Options& options, const MethodInput& given = least_squares()) {
  try {
    options.in_use(given);
  } catch (const Diagnosed& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("steps follow from L and mu where they are not given: alpha is 2 L, a step 1/(2 L)") {
  const MethodInput given = least_squares();
  CHECK(GradientStepOptions{.L = 2}.in_use(given).s == 0.25);
  CHECK(GradientStepOptions{.L = 2, .step = 3}.in_use(given).s == 3);
  CHECK(GradientStepOptions{}.in_use(given).s == 1 / (2 * 16.0 / 5));
  const Acceleration both = AccelerationOptions{.curvature = {.mu = 0.2, .L = 2}}.in_use(given);
  CHECK(both.alpha == 4);
  CHECK(both.beta == std::sqrt(0.2 / 16));
  const Acceleration of_data = AccelerationOptions{.alpha = 7}.in_use(given);
  CHECK(of_data.alpha == 7);
  CHECK(of_data.beta == std::sqrt(16.0 / 5 / 10 / (8 * 16.0 / 5)));  // mu is L/10
}

TEST_CASE("the options of a momentum give the step itself, and the same beta") {
  const MethodInput given = least_squares();
  const StepAndMomentum both = StepAndMomentumOptions{.curvature = {.mu = 0.2, .L = 2}}.in_use(given);
  CHECK(both.step == 0.25);
  CHECK(both.beta == std::sqrt(0.2 / 16));
  CHECK(refused(StepAndMomentumOptions{.step = 0, .beta = 0.5}) == "step: expected a number above 0, found 0");
}

TEST_CASE("a run without numbers has no steps, and asks for nothing central") {
  MethodInput given;
  given.timing_only = true;
  CHECK(GradientStepOptions{}.in_use(given).s == 0);
  CHECK(AccelerationOptions{}.in_use(given).alpha == 0);
}

TEST_CASE("invalid step sizes are refused") {
  using Options = AccelerationOptions;
  CHECK(refused(Options{.curvature = {.mu = 0, .L = 1}}) == "mu: expected a number above 0, found 0");
  CHECK(refused(Options{.curvature = {.mu = 1, .L = -1}}) == "L: expected a number above 0, found -1");
  CHECK(refused(Options{.curvature = {.mu = 2, .L = 1}}) == "L: expected at least mu, found 1");
  CHECK(refused(Options{.alpha = 0, .beta = 0.5}) == "alpha: expected a number above 0, found 0");
  CHECK(refused(Options{.alpha = 1, .beta = -0.5}) == "beta: expected a number above 0, found -0.5");
  CHECK(refused(Options{.alpha = 1, .beta = 1.5}) == "beta: expected above 0 and at most 1, found 1.5");
  CHECK(refused(Options{.alpha = 1, .beta = 1}).empty());
  CHECK(refused(GradientStepOptions{.step = -1}) == "step: expected a number above 0, found -1");
  MethodInput zero = least_squares();
  zero.central = std::make_shared<const test::KnownReference>(0);
  CHECK(refused(GradientStepOptions{}, zero) ==
        "L: expected a number above 0, since it cannot be taken from the data, found data that are all 0");
}

}  // namespace lagnet::steps_test
