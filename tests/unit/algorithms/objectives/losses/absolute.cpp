#include "algorithms/objectives/losses/absolute.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::absolute_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("The absolute loss and its prox are the closed forms") {
  const auto loss = make_loss(AbsoluteOptions{});
  CHECK(loss->value(-1, 2) == 3);
  CHECK(loss->derivative(-1, 2) == -1);
  CHECK(loss->derivative(2, 2) == 0);
  CHECK(loss->conjugate(-1, 2) == -2);
  CHECK(loss->conjugate(1.001, 2) == infinity);
  CHECK(loss->prox_conjugate(1.25, 2, 0.5) == 0.25);
  CHECK(loss->prox_conjugate(9, 2, 0.5) == 1);
  CHECK_FALSE(loss->smoothness());
  CHECK_FALSE(loss->sqrt_lipschitz());
}

}  // namespace lagnet::absolute_test
