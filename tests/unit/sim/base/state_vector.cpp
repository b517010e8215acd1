#include "sim/base/state_vector.hpp"

#include <catch2/catch.hpp>

namespace lagnet::state_vector_test {

TEST_CASE("A state vector with numbers is a vector") {
  StateVector x = StateVector::zeros(3);
  CHECK(x.has_numbers());
  CHECK(x.size() == 3);
  CHECK(x == Vector::Zero(3));
  const Vector ones = Vector::Ones(3);
  x = ones;
  x += 2 * x;
  CHECK(x == Vector::Constant(3, 3.0));
  const StateVector sum = x - ones;
  CHECK(sum == Vector::Constant(3, 2.0));
  x = Vector::Ones(5);
  CHECK(x.size() == 5);
  CHECK(StateVector().has_numbers());
  CHECK(StateVector().size() == 0);
}

TEST_CASE("A state vector without numbers has a size and no memory, and keeps it through copies and expressions") {
  StateVector x = StateVector::of_size(1000);
  CHECK_FALSE(x.has_numbers());
  CHECK(x.size() == 1000);
  CHECK(x.data() == nullptr);
  const StateVector copy = x;
  CHECK(copy.size() == 1000);
  CHECK(copy.data() == nullptr);
  x = 2 * x - copy;
  x += copy;
  CHECK(x.size() == 1000);
  CHECK(x.data() == nullptr);
  StateVector moved = std::move(x);
  CHECK(moved.size() == 1000);
  moved = StateVector::of_size(7);
  CHECK(moved.size() == 7);
  const Vector sliced = moved;  // a payload of it would be empty, which a timing-only run refuses
  CHECK(sliced.size() == 0);
}

TEST_CASE("A state vector without numbers that gets numbers has them") {
  StateVector x = StateVector::of_size(1000);
  x = Vector::Ones(2);
  CHECK(x.has_numbers());
  CHECK(x.size() == 2);
}

}  // namespace lagnet::state_vector_test
