#include "algorithms/objectives/losses/huber.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::huber_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("The Huber loss is quadratic up to the threshold and linear beyond") {
  const auto loss = make_loss(HuberOptions{.threshold = 2});
  CHECK(loss->value(4, 3) == 0.5);
  CHECK(loss->value(5, 3) == 2);
  CHECK(loss->value(-7, 3) == 18);  // 2 * 10 - 2
  CHECK(loss->derivative(-7, 3) == -2);
  CHECK(loss->conjugate(-2, 3) == -4);  // at a = 1: -2 - 2
  CHECK(loss->conjugate(2.001, 3) == infinity);
  CHECK(loss->prox_conjugate(5, 3, 1) == 1);
  CHECK(loss->prox_conjugate(50, 3, 1) == 2);
  CHECK(*loss->lipschitz() == 2);
}

TEST_CASE("A Huber threshold that is not above 0 and finite is refused") {
  CHECK_THROWS_WITH(make_loss(HuberOptions{.threshold = 0}),
                    "huber threshold: expected a finite number above 0, found 0");
  CHECK_THROWS_WITH(make_loss(HuberOptions{.threshold = infinity}),
                    "huber threshold: expected a finite number above 0, found inf");
}

}  // namespace lagnet::huber_test
