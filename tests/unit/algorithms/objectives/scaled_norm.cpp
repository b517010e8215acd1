#include "algorithms/objectives/scaled_norm.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/regularizers/regularizers.hpp"

namespace lagnet::scaled_norm_test {

TEST_CASE("A norm keeps its kind with another weight") {
  for (const auto& r : {make_regularizer(L1Options{.weight = 0.5}),
                        make_regularizer(NuclearOptions{.weight = 0.5}, IterateShape::matrix(2, 3)),
                        make_regularizer(GroupLassoOptions{.weight = 0.5}, IterateShape::matrix(2, 3))}) {
    const Vector theta = Vector::LinSpaced(6, -1, 2);
    const auto other = r->as_norm()->with_weight(2);
    CHECK(other->value(theta) == Approx(4 * r->value(theta)).epsilon(1e-15));
    CHECK(other->norm(theta) == r->as_norm()->norm(theta));
    CHECK_THROWS_WITH(r->as_norm()->with_weight(-1),
                      Catch::Contains("expected a finite number of at least 0, found -1"));
  }
}

}  // namespace lagnet::scaled_norm_test
