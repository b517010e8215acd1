#include "algorithms/objectives/regularizers/nuclear.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "algorithms/objectives/scaled_norm.hpp"

namespace lagnet::nuclear_test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("The nuclear norm of a matrix with known singular values is their sum, and its prox thresholds them") {
  // Rows (3, 0), (0, 1), (0, 0): singular values 3 and 1; a wide matrix is its transpose.
  for (const bool wide : {false, true}) {
    const IterateShape shape = wide ? IterateShape::matrix(2, 3) : IterateShape::matrix(3, 2);
    const auto r = make_regularizer(NuclearOptions{.weight = 0.5}, shape);
    Vector theta = Vector::Zero(6), expected = theta;
    theta[0] = -3;
    theta[wide ? 4 : 3] = 1;
    expected[0] = -2;
    CHECK(r->value(theta) == Approx(2).epsilon(1e-15));  // one rounding of a singular value
    CHECK((r->prox(theta, 2) - expected).norm() < 1e-15);
    CHECK(r->prox(theta, 6).isZero(0));
    CHECK(r->as_norm()->dual_norm(theta) == Approx(3).epsilon(1e-15));
    CHECK(r->conjugate(0.1 * theta) == 0);
    CHECK(r->conjugate(theta) == infinity);
    Vector subgradient = Vector::Zero(6);
    subgradient[0] = -0.5;
    CHECK((*r->subgradient(expected) - subgradient).norm() < 1e-15);
    CHECK_FALSE(r->is_separable());
  }
}

}  // namespace lagnet::nuclear_test
