#include "algorithms/objectives/losses/squared.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace lagnet::squared_test {

TEST_CASE("The squared loss and its prox are the closed forms") {
  const auto loss = make_loss(SquaredOptions{});
  CHECK(loss->value(5, 2) == 4.5);
  CHECK(loss->derivative(5, 2) == 3);
  CHECK(loss->conjugate(3, 2) == 10.5);  // 3 * 5 - 4.5
  CHECK(loss->prox_conjugate(4, 2, 1) == 1);
  CHECK_FALSE(loss->lipschitz());
  CHECK(*loss->sqrt_lipschitz() == std::sqrt(2.0));
}

}  // namespace lagnet::squared_test
