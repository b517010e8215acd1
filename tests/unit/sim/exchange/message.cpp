#include "sim/exchange/message.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/errors.hpp"

namespace lagnet::message_test {

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
  const Payload none(Vector::Zero(0));
  CHECK(none);
  CHECK(none.size() == 0);
  CHECK_FALSE(Payload());
}

TEST_CASE("Payloads of a power of two lie neither in one place of the cache nor unaligned") {
  std::vector<Payload> row(8, Payload(Vector::Zero(512)));  // 4096 bytes each
  for (Payload& p : row) p = Payload(Vector::Zero(512));
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>(row[i].data());
    CHECK(address % 64 == 0);
    for (std::size_t j = 0; j < i; ++j) CHECK((address - reinterpret_cast<std::uintptr_t>(row[j].data())) % 4096 != 0);
  }
}

TEST_CASE("A single number lies in the payload, is copied with it, and stays where it is as long as the payload does") {
  Vector number = Vector::Constant(1, 2.5);
  const Payload payload(number);
  const Payload copy = payload;  // NOLINT(performance-unnecessary-copy-initialization): this is what is tested
  number[0] = 7;
  for (const Payload* one : {&payload, &copy}) {
    CHECK(static_cast<const void*>(one->data()) >= one);
    CHECK(static_cast<const void*>(one->data()) < one + 1);
    CHECK(one->rows() == 1);
    CHECK(one->cols() == 1);
    CHECK(one->encrypted() == 0);
    CHECK(one->has_numbers());
    CHECK(one->view()[0] == 2.5);
    CHECK(WireFormat().wire_size(*one) == 8);
    CHECK((WireFormat{.index_bytes = 4}).wire_size(*one) == 8);
  }
  Payload from = copy;
  const Payload to(std::move(from));
  CHECK(to.view()[0] == 2.5);
  CHECK_FALSE(from);  // NOLINT(bugprone-use-after-move): this is what is tested
  CHECK(from.data() == nullptr);
}

TEST_CASE("A single number takes the place of an array and makes room for one") {
  Payload payload(Vector::Ones(3));
  payload = Payload(Vector::Constant(1, 4));
  CHECK(payload.view() == Vector::Constant(1, 4));
  payload = Payload(Vector::Ones(2));
  CHECK(payload.view() == Vector::Ones(2));
}

TEST_CASE("A single number can be a ciphertext, only a size, or written in place") {
  const Vector number = Vector::Constant(1, 3);
  CHECK(Payload::with_ciphertexts(number, 1).encrypted() == 1);
  CHECK(Payload::with_ciphertexts(number, 1).view() == number);
  CHECK_FALSE(Payload::of_size(1).has_numbers());
  CHECK(Payload::of_size(1).size() == 1);
  Payload::Draft draft(1);
  draft[0] = 3;
  CHECK(draft.finish().view() == number);
  draft = Payload::Draft(1);
  draft[0] = 3;
  const Payload ciphertext = draft.finish(1);
  CHECK(ciphertext.encrypted() == 1);
  CHECK(ciphertext.view() == number);
}

TEST_CASE("A single number that was written in place lies in the payload like any other") {
  Payload::Draft draft(1);
  draft[0] = 3;
  const Payload payload = draft.finish(), copy = payload;
  CHECK(payload.data() != copy.data());  // an array would be shared
  CHECK(copy.data()[0] == 3);
}

TEST_CASE("Memory of a dropped payload is used again") {
  const double* const place = Payload(Vector::Zero(1000)).data();
  CHECK(Payload(Vector::Zero(1000)).data() == place);
}

TEST_CASE("The wire size is the scalars' and the header's") {
  const Payload vector(Vector::Zero(10)), matrix(Matrix(Matrix::Zero(3, 4)));
  CHECK(WireFormat().wire_size(vector) == 80);
  CHECK(WireFormat().wire_size(matrix) == 96);
  CHECK(WireFormat().wire_size(Payload()) == 0);
  const WireFormat compact{.bytes_per_scalar = 4, .header_bytes = 16};
  CHECK(compact.wire_size(vector) == 56);
  CHECK(compact.wire_size(Payload()) == 16);
  CHECK((WireFormat{.header_bytes = 16, .index_bytes = 4}).wire_size(Payload::of_size(0)) == 16);  // a bare receipt
}

TEST_CASE("Rows of an exactly reduced problem are billed at their nominal number, other shapes as they are") {
  const WireFormat reduced{.rows_held = 10, .rows_billed = 1000};
  CHECK(reduced.wire_size(Payload(Vector::Zero(10))) == 8000);
  CHECK(reduced.wire_size(Payload(Matrix(Matrix::Zero(10, 2)))) == 16000);
  CHECK(reduced.wire_size(Payload(Vector::Zero(9))) == 72);
}

TEST_CASE("Ciphertexts are billed as such, and the other numbers as ever") {
  const WireFormat wire{.bytes_per_scalar = 4, .header_bytes = 10, .ciphertext_bytes = 512};
  const Vector v = Vector::LinSpaced(5, 1, 5);
  CHECK(wire.wire_size(Payload::with_ciphertexts(v, 0)) == 10 + 5 * 4);
  CHECK(wire.wire_size(Payload::with_ciphertexts(v, 2)) == 10 + 3 * 4 + 2 * 512);
  CHECK(wire.wire_size(Payload::with_ciphertexts(v, 5)) == 10 + 5 * 512);
  CHECK(Payload::with_ciphertexts(v, 2).encrypted() == 2);
  CHECK(Payload::with_ciphertexts(v, 2).view() == v);
  CHECK(Payload(v).encrypted() == 0);  // also where the memory is that of one with ciphertexts
  for (const Index count : {Index{-1}, Index{6}}) CHECK_THROWS_AS(Payload::with_ciphertexts(v, count), InternalError);
}

TEST_CASE("With index bytes a body is billed by its non-zeros where that is smaller") {
  const WireFormat wire{.header_bytes = 10, .index_bytes = 4};  // 12 bytes each against 8
  Vector v = Vector::Zero(9);
  CHECK(wire.wire_size(Payload(v)) == 10);
  v[3] = -1e-300;
  v[8] = 2;
  CHECK(wire.wire_size(Payload(v)) == 10 + 2 * 12);
  v.head(6).setOnes();  // 7 non-zeros: 84 bytes against 72
  CHECK(wire.wire_size(Payload(v)) == 10 + 9 * 8);
  v[0] = 0;  // 6: 72, as much
  CHECK(wire.wire_size(Payload(v)) == 10 + 72);
  v[1] = -0.0;  // 5
  CHECK(wire.wire_size(Payload(v)) == 10 + 60);

  Matrix m = Matrix(Matrix::Zero(3, 4));
  m(1, 2) = 5;
  CHECK(wire.wire_size(Payload(m)) == 10 + 12);
  CHECK(WireFormat().wire_size(Payload(m)) == 96);
}

TEST_CASE("Zeros count among the plain numbers only, since ciphertexts do not show theirs") {
  const WireFormat wire{.ciphertext_bytes = 100, .index_bytes = 4};
  Vector v = Vector::Zero(6);
  v[0] = 1;
  CHECK(wire.wire_size(Payload::with_ciphertexts(v, 2)) == 12 + 2 * 100);
  v.tail(2).setOnes();
  CHECK(wire.wire_size(Payload::with_ciphertexts(v, 2)) == 12 + 2 * 100);
}

TEST_CASE("A reduced problem is never billed by its non-zeros") {
  const WireFormat wire{.index_bytes = 4, .rows_held = 10, .rows_billed = 1000};
  CHECK(wire.wire_size(Payload(Vector::Zero(10).eval())) == 8000);
  CHECK(wire.wire_size(Payload(Vector::Zero(9).eval())) == 0);
  const WireFormat as_it_is{.index_bytes = 4, .rows_held = 10, .rows_billed = 10};
  CHECK(as_it_is.wire_size(Payload(Vector::Zero(10).eval())) == 0);
}

TEST_CASE("A payload without numbers is billed by its shape, and reading its numbers is an internal error") {
  const Payload vector = Payload::of_size(1000), matrix = Payload::of_size(3, 4), some = Payload::of_size(10, 1, 4);
  CHECK(vector);
  CHECK_FALSE(vector.has_numbers());
  CHECK(Payload(Vector::Ones(3)).has_numbers());
  CHECK(matrix.rows() == 3);
  CHECK(matrix.cols() == 4);
  CHECK(some.encrypted() == 4);
  const WireFormat wire{.bytes_per_scalar = 4, .header_bytes = 60, .ciphertext_bytes = 512};
  CHECK(wire.wire_size(vector) == wire.wire_size(Payload(Vector(Vector::Ones(1000)))));
  CHECK(wire.wire_size(matrix) == wire.wire_size(Payload(Matrix(Matrix::Ones(3, 4)))));
  CHECK(wire.wire_size(some) == wire.wire_size(Payload::with_ciphertexts(Vector::Ones(10), 4)));
  CHECK_THROWS_AS(vector.data(), InternalError);
  CHECK_THROWS_AS(vector.view(), InternalError);
  CHECK_THROWS_AS(matrix.matrix(), InternalError);
  CHECK_THROWS_AS(Payload::of_size(3, 1, 4), InternalError);
  CHECK_THROWS_AS((WireFormat{.index_bytes = 4}.wire_size(vector)), InternalError);
}

TEST_CASE("Payloads without numbers take no memory for them") {
  // A terabyte each.
  const std::vector<Payload> many(100, Payload::of_size(Index{1} << 37));
  CHECK(many.back().size() == Index{1} << 37);
}

TEST_CASE("Joined vectors lie one after the other, and have no numbers if one of them has none") {
  const Vector a = Vector::Constant(2, 1.0);
  const StateVector b = Vector::Constant(3, 2.0), none = StateVector::of_size(4);
  const Payload whole = Payload::joined(a, b, Vector::Constant(1, 3.0));
  REQUIRE(whole.size() == 6);
  Vector expected(6);
  expected << 1, 1, 2, 2, 2, 3;
  CHECK(whole.view() == expected);
  const Payload sizes = Payload::joined(a, none);
  CHECK(sizes.size() == 6);
  CHECK_FALSE(sizes.has_numbers());
  CHECK(Payload::joined(a).view() == a);
}

TEST_CASE("A payload of a state vector has its numbers, or its size") {
  CHECK(Payload(StateVector::zeros(3)).view() == Vector::Zero(3));
  const Payload sizes = StateVector::of_size(3);
  CHECK(sizes.size() == 3);
  CHECK_FALSE(sizes.has_numbers());
  Payload::Draft draft = Payload::Draft::of_size(1);
  CHECK(draft.size() == 1);
  CHECK(draft.vector().size() == 0);
  CHECK_FALSE(draft.finish().has_numbers());
}

TEST_CASE("An encoding is billed by its own bytes and a header whatever it carries") {
  const WireFormat wire{.bytes_per_scalar = 4, .header_bytes = 16, .index_bytes = 2};
  const Payload encoding = Payload::as_encoding(Vector::LinSpaced(10, 0, 9), 7);
  CHECK(wire.wire_size(encoding) == 23);
  CHECK(encoding.view() == Vector::LinSpaced(10, 0, 9));
  CHECK(encoding.encoded() == 7);
  CHECK(encoding.encrypted() == 0);
  CHECK_FALSE(Payload(Vector::Zero(10)).encoded());
  const WireFormat reduced{.rows_held = 10, .rows_billed = 1000};
  CHECK(reduced.wire_size(encoding) == 7);
}

TEST_CASE("A body that stands for a part of a larger model is billed in proportion, encoded or not") {
  const WireFormat wire{.bytes_per_scalar = 4, .header_bytes = 16, .model_bytes = 1'000'003, .model_scalars = 10};
  CHECK(wire.wire_size(Payload(Vector::Zero(10))) == 16 + 1'000'003);
  CHECK(wire.wire_size(Payload(Vector::Zero(20))) == 16 + 2 * 1'000'003);
  CHECK(wire.wire_size(Payload(Vector::Zero(1))) == 16 + 100'001);  // 100000.3, rounded up
  CHECK(wire.wire_size(Payload::of_size(25)) == 16 + 2 * 1'000'003 + 500'002);
  CHECK(wire.wire_size(Payload::of_size(0)) == 16);
  CHECK(wire.wire_size(Payload::as_encoding(Vector::Zero(10), 8)) == 16 + 200'001);  // 8 of 40 bytes
}

TEST_CASE("A single number and a shape without numbers can be encodings as well") {
  const Payload one = Payload::as_encoding(Vector{{2.5}}, 3), shape = Payload::as_encoding(Payload::of_size(1000), 3);
  for (const Payload* body : {&one, &shape}) {
    const Payload copy = *body;
    CHECK(WireFormat().wire_size(copy) == 3);
  }
  CHECK(one.view() == Vector{{2.5}});
  CHECK(shape.size() == 1000);
  CHECK_FALSE(shape.has_numbers());
  const Payload nothing = Payload::as_encoding(Vector::Zero(4), 0);
  CHECK(WireFormat().wire_size(nothing) == 0);
}

TEST_CASE("A payload that others share and one with ciphertexts are no encodings") {
  const Payload shared(Vector::Zero(4));
  CHECK_THROWS_AS(Payload::as_encoding(shared, 3), InternalError);
  CHECK_THROWS_AS(Payload::as_encoding(Payload::with_ciphertexts(Vector::Zero(4), 2), 3), InternalError);
  CHECK_THROWS_AS(Payload::as_encoding(Payload(), 3), InternalError);
}

}  // namespace lagnet::message_test
