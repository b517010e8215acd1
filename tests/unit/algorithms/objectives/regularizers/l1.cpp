#include "algorithms/objectives/regularizers/l1.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::l1_test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("The prox, value and conjugate of the l1 norm are the closed forms") {
  const Vector q = (Vector(4) << -3, -0.5, 0.25, 2).finished();
  CHECK(make_regularizer(L1Options{.weight = 0.5})->prox(q, 1) == (Vector(4) << -2.5, 0, 0, 1.5).finished());
  const Vector v = (Vector(3) << -3, 0.5, 2).finished();
  CHECK(make_regularizer(L1Options{.weight = 2})->value(v) == 11);
  CHECK(make_regularizer(L1Options{.weight = 2})->conjugate(v) == infinity);
  CHECK(make_regularizer(L1Options{.weight = 3})->conjugate(v) == 0);
}

TEST_CASE("A negative weight of the l1 norm is refused") {
  CHECK_THROWS_WITH(make_regularizer(L1Options{.weight = -1}),
                    "l1 weight: expected a finite number of at least 0, found -1");
}

}  // namespace lagnet::l1_test
