#include "algorithms/objectives/regularizers/group_lasso.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/scaled_norm.hpp"

namespace lagnet::group_lasso_test {

TEST_CASE("The group lasso adds up the norms of its groups, and its prox shrinks each") {
  const auto r = make_regularizer(GroupLassoOptions{.weight = 2}, IterateShape::matrix(2, 2));
  const Vector theta = (Vector(4) << 3, -4, 0.3, 0.4).finished();
  CHECK(r->value(theta) == Approx(11).epsilon(1e-15));  // 2 (5 + 0.5)
  CHECK((r->prox(theta, 0.5) - (Vector(4) << 2.4, -3.2, 0, 0).finished()).norm() < 1e-15);
  CHECK(r->as_norm()->dual_norm(theta) == 5);
  const auto pairs = make_regularizer(GroupLassoOptions{.weight = 2, .group_size = 1}, IterateShape::vector(4));
  CHECK(pairs->value(theta) == Approx(15.4).epsilon(1e-15));
  CHECK_FALSE(r->is_separable());
}

}  // namespace lagnet::group_lasso_test
