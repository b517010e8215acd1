#include "sim/message.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

using namespace lagnet;

TEST_CASE("A payload holds the numbers and the shape it was made from") {
  const Vector v = Vector::LinSpaced(5, 1, 5);
  const Payload column(v);
  CHECK(column.rows() == 5);
  CHECK(column.cols() == 1);
  CHECK(column.view() == v);

  const Matrix m = Matrix::Random(3, 4);
  const Payload block(m);
  CHECK(block.rows() == 3);
  CHECK(block.cols() == 4);
  CHECK(block.size() == 12);
  CHECK(block.matrix() == m);
}

TEST_CASE("A payload keeps its numbers when the vector it was made from changes") {
  Vector v = Vector::Ones(4);
  const Payload payload(v);
  v.setZero();
  CHECK(payload.view() == Vector::Ones(4));
}

TEST_CASE("A payload is made from part of a vector or from an expression") {
  const Vector v = Vector::LinSpaced(6, 0, 5);
  CHECK(Payload(v.segment(2, 3)).view() == v.segment(2, 3));
  CHECK(Payload(2 * v).view() == 2 * v);
}

TEST_CASE("Copies of a payload share its numbers, which live as long as the last of them") {
  auto first = std::make_unique<Payload>(Vector::Ones(3));
  const Payload second(*first);
  Payload third;
  third = second;
  CHECK(second.data() == first->data());
  CHECK(third.data() == first->data());
  first.reset();
  CHECK(second.view() == Vector::Ones(3));
}

TEST_CASE("Moving a payload leaves an empty one behind") {
  Payload from(Vector::Ones(3));
  const Payload to(std::move(from));
  CHECK(to.size() == 3);
  CHECK_FALSE(from);  // NOLINT(bugprone-use-after-move): this is what is tested
  CHECK(from.size() == 0);
  CHECK(from.data() == nullptr);
}

TEST_CASE("A payload assigned to itself stays") {
  Payload payload(Vector::Ones(3));
  const Payload& same = payload;
  payload = same;
  CHECK(payload.view() == Vector::Ones(3));
}

TEST_CASE("A payload without numbers is still a payload") {
  const Payload none(Vector(0));
  CHECK(none);
  CHECK(none.size() == 0);
  CHECK_FALSE(Payload());
}

TEST_CASE("Payloads of a power of two lie neither in one place of the cache nor unaligned") {
  std::vector<Payload> row(8, Payload(Vector(512)));  // 4096 bytes each
  for (Payload& p : row) p = Payload(Vector(512));
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>(row[i].data());
    CHECK(address % 64 == 0);
    for (std::size_t j = 0; j < i; ++j) CHECK((address - reinterpret_cast<std::uintptr_t>(row[j].data())) % 4096 != 0);
  }
}

TEST_CASE("Memory of a dropped payload is used again") {
  const double* const place = Payload(Vector(1000)).data();
  CHECK(Payload(Vector(1000)).data() == place);
}

TEST_CASE("The wire size is the scalars' and the header's") {
  const Payload vector(Vector(10)), matrix(Matrix(3, 4));
  CHECK(WireFormat().wire_size(vector) == 80);
  CHECK(WireFormat().wire_size(matrix) == 96);
  CHECK(WireFormat().wire_size(Payload()) == 0);
  const WireFormat compact{.bytes_per_scalar = 4, .header_bytes = 16};
  CHECK(compact.wire_size(vector) == 56);
  CHECK(compact.wire_size(Payload()) == 16);
}

TEST_CASE("Rows of an exactly reduced problem are billed at their nominal number, other shapes as they are") {
  const WireFormat reduced{.rows_held = 10, .rows_billed = 1000};
  CHECK(reduced.wire_size(Payload(Vector(10))) == 8000);
  CHECK(reduced.wire_size(Payload(Matrix(10, 2))) == 16000);
  CHECK(reduced.wire_size(Payload(Vector(9))) == 72);
}
