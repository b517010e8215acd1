#include "algorithms/objectives/regularizers/elastic_net.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::elastic_net_test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("The prox, value and conjugate of the elastic net are the closed forms") {
  const Vector q = (Vector(4) << -3, -0.5, 0.25, 2).finished();
  const auto narrow = make_regularizer(ElasticNetOptions{.l1_weight = 0.5, .l2_weight = 1});
  CHECK(narrow->prox(q, 1) == (Vector(4) << -1.25, 0, 0, 0.75).finished());
  const auto r = make_regularizer(ElasticNetOptions{.l1_weight = 1, .l2_weight = 4});
  const Vector v = (Vector(3) << -3, 0.5, 2).finished();
  CHECK(r->value(v) == 32);
  CHECK(r->conjugate(v) == 5.0 / 8);  // (2^2 + 1^2) / (2 * 4)
}

TEST_CASE("A weight of the elastic net that is not finite is refused") {
  CHECK_THROWS_WITH(make_regularizer(ElasticNetOptions{.l1_weight = 1, .l2_weight = infinity}),
                    "l2 weight: expected a finite number of at least 0, found inf");
}

}  // namespace lagnet::elastic_net_test
