#include "algorithms/objectives/regularizers/none.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::none_test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("Without a regularizer the prox changes nothing, and the conjugate is finite at 0 alone") {
  const auto r = make_regularizer(NoneOptions{});
  const Vector q = (Vector(4) << -3, -0.5, 0.25, 2).finished();
  CHECK(r->prox(q, 4) == q);
  CHECK(r->conjugate(q) == infinity);
  CHECK(r->conjugate(Vector::Zero(4)) == 0);
  CHECK(r->as_norm() == nullptr);
}

}  // namespace lagnet::none_test
