#include "algorithms/objectives/regularizers/l2.hpp"

#include <catch2/catch.hpp>

namespace lagnet::l2_test {

TEST_CASE("The prox, value and conjugate of the squared l2 norm are the closed forms") {
  const Vector q = (Vector(4) << -3, -0.5, 0.25, 2).finished();
  CHECK(make_regularizer(L2Options{.weight = 1.5})->prox(q, 2) == Vector(q / 4));
  const auto r = make_regularizer(L2Options{.weight = 4});
  const Vector v = (Vector(3) << -3, 0.5, 2).finished();
  CHECK(r->value(v) == 26.5);
  CHECK(r->conjugate(v) == 13.25 / 8);
}

}  // namespace lagnet::l2_test
