#include "sim/realtime/frames/frame.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/realtime/frames/crc32c.hpp"
#include "sim/realtime/frames/frame_reader.hpp"

namespace lagnet::frame_test {

namespace {

using Bytes = std::vector<std::byte>;
constexpr FrameLimits limits{.largest_body = 1 << 16, .links = 10};

void put(FrameReader& reader, std::span<const std::byte> bytes) {
  const auto room = reader.room();
  REQUIRE(room.size() >= bytes.size());
  std::ranges::copy(bytes, room.begin());
  reader.add(bytes.size());
}

Message message_with(Payload body) {
  Message message(3, 17, 5, std::move(body));
  message.hops = 9;
  message.exchange = 4;
  message.receipt = 2;
  message.life = 7;
  message.is_answer = true;
  return message;
}

Bytes frame_with(Payload body) {
  return OutgoingFrame::message({.sequence = 12, .received = 11}, 6, Time::nanoseconds(99),
                                message_with(std::move(body)))
      .bytes();
}

/// The length that a frame says its body has, with the checksum of the header.
void set_length(Bytes& frame, std::uint32_t body_bytes) {
  constexpr std::size_t check_at = 4;
  std::memcpy(frame.data(), &body_bytes, sizeof body_bytes);
  std::memset(frame.data() + check_at, 0, sizeof(std::uint32_t));
  const std::uint32_t check = Crc32c().add(std::span(frame).first(frame_header_bytes)).value();
  std::memcpy(frame.data() + check_at, &check, sizeof check);
}

/// Reads what a frame with this body carries.
LinkMessage sent(Payload body) {
  FrameReader reader(limits);
  put(reader, frame_with(std::move(body)));
  const auto frame = reader.next();
  REQUIRE(frame);
  CHECK(frame->header == FrameHeader{.kind = FrameKind::message, .sequence = 12, .received = 11});
  return read_message(*frame, limits);
}

}  // namespace

TEST_CASE("A message is the same after its way as a frame, to the last bit of its numbers") {
  const double quiet = std::numeric_limits<double>::quiet_NaN();
  for (const Vector& numbers : {Vector{{1.5}}, Vector{{-0.0, quiet, 5e-324, 1e308}}, Vector(Vector::Random(1000))}) {
    const LinkMessage came = sent(numbers);
    CHECK(came.link == 6);
    CHECK(came.sent == Time::nanoseconds(99));
    const Message& message = came.message;
    CHECK(message.from == 3);
    CHECK(message.round == 17);
    CHECK(message.tag == 5);
    CHECK(message.hops == 9);
    CHECK(message.exchange == 4);
    CHECK(message.receipt == 2);
    CHECK(message.life == 7);
    CHECK(message.is_answer);
    REQUIRE(message.body.size() == numbers.size());
    CHECK(std::memcmp(message.body.data(), numbers.data(), sizeof(double) * static_cast<std::size_t>(numbers.size())) ==
          0);
  }
}

TEST_CASE("A message's frame keeps its billed size: shape, ciphertexts and size of an encoding") {
  const WireFormat wire{.bytes_per_scalar = 4, .header_bytes = 10, .ciphertext_bytes = 256};
  const Vector numbers = Vector::LinSpaced(6, 1, 6);
  const Matrix matrix = Matrix::Random(3, 4);
  Payload encoded = Payload::as_encoding(Payload(numbers), 5);
  for (const Payload& body :
       {Payload(numbers), Payload(matrix), Payload::with_ciphertexts(numbers, 2), encoded, Payload()}) {
    const Payload came = sent(body).message.body;
    CHECK(came.rows() == body.rows());
    CHECK(came.cols() == body.cols());
    CHECK(came.encrypted() == body.encrypted());
    CHECK(came.encoded() == body.encoded());
    if (body) CHECK(wire.wire_size(came) == wire.wire_size(body));
    if (body) CHECK(came.matrix() == body.matrix());
  }
}

TEST_CASE("Compressed vectors are the same after transfer in fewer bytes, in frames of any size") {
  for (const Index size : {100, 8000}) {
    Vector numbers = Vector::Zero(size);
    for (Index i = 0; i < size; i += 10) numbers[i] = 0.1 * static_cast<double>(i + 1);
    const Payload encoded = Payload::as_encoding(Payload(numbers), 7);
    CHECK(frame_with(encoded).size() < frame_with(numbers).size() / 4);
    const Message came = sent(encoded).message;
    CHECK(came.body.encoded() == 7);
    CHECK(Vector(came.body.view()) == numbers);
    const Payload matrix = Payload::as_encoding(Payload(Matrix(numbers.reshaped(size / 4, 4))), 7);
    CHECK(sent(matrix).message.body.matrix() == matrix.matrix());
  }
}

TEST_CASE("A frame that would need too much memory is refused, even if the frame is small") {
  const Payload zeros = Payload::as_encoding(Payload(Vector(Vector::Zero(8193))), 7);
  FrameReader reader(limits);
  put(reader, frame_with(zeros));
  const auto frame = reader.next();
  REQUIRE(frame);
  CHECK_THROWS_WITH(read_message(*frame, limits),
                    "a message of 8193 x 1 compact numbers, expected 1 to 8192 of an encoding");
}

TEST_CASE("Frames are found again wherever the bytes between them are cut") {
  Bytes bytes;
  const auto size_of = [](std::uint64_t k) { return Index{1} << (2 * k); };  // up to 8 kB, and beyond
  for (std::uint64_t k = 1; k <= 6; ++k)
    append_bytes(
        bytes,
        OutgoingFrame::message({.sequence = k}, 1, Time(), message_with(Vector::Constant(size_of(k), 2.0))).bytes());
  append_bytes(bytes, OutgoingFrame::with_body({.kind = FrameKind::heartbeat, .received = 8}).bytes());
  for (const std::size_t piece : {1, 7, 64, 5000, 60000}) {
    FrameReader reader(limits);
    std::vector<std::uint64_t> sequences;
    const auto take = [&] {
      while (const auto frame = reader.next()) {
        sequences.push_back(frame->header.sequence);
        if (frame->header.kind == FrameKind::message)
          CHECK(Vector(read_message(*frame, limits).message.body.view()) ==
                Vector::Constant(size_of(frame->header.sequence), 2.0));
      }
    };
    for (std::size_t first = 0; first < bytes.size(); first += piece) {
      auto left = std::span(bytes).subspan(first, std::min(piece, bytes.size() - first));
      // The reader may want the numbers of a large message apart from what follows.
      while (!left.empty()) {
        const std::size_t count = std::min(left.size(), reader.room().size());
        put(reader, left.first(count));
        left = left.subspan(count);
        take();
      }
    }
    CHECK(sequences == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 0});
  }
}

TEST_CASE("A greeting is read as it was written") {
  Hello hello;
  hello.process = 2;
  hello.peer = 1;
  hello.incarnation = 77;
  hello.known_incarnation = 5;
  hello.received = 123456789012;
  hello.scenario.fill(std::byte{0xab});
  hello.build = "0.1.0 of a kind";
  FrameReader reader(limits);
  put(reader, OutgoingFrame::hello(hello).bytes());
  const auto frame = reader.next();
  REQUIRE(frame);
  CHECK(frame->header.kind == FrameKind::hello);
  CHECK(read_hello(frame->body) == hello);
}

TEST_CASE("A changed bit anywhere in a frame is found") {
  const Bytes whole = frame_with(Vector::Constant(5, 1.0));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    Bytes damaged = whole;
    damaged[bit / 8] ^= std::byte{1} << static_cast<int>(bit % 8);
    FrameReader reader(limits);
    put(reader, damaged);
    CHECK_THROWS_AS(reader.next(), FrameError);
  }
}

TEST_CASE("A changed bit of a header is found before the body arrives") {
  const Bytes whole = OutgoingFrame::with_body({.sequence = 12, .received = 11}, Bytes(100)).bytes();
  for (std::size_t bit = 0; bit < 8 * frame_header_bytes; ++bit) {
    Bytes damaged(whole.begin(), whole.begin() + frame_header_bytes);
    damaged[bit / 8] ^= std::byte{1} << static_cast<int>(bit % 8);
    FrameReader reader(limits);
    put(reader, damaged);
    CHECK_THROWS_WITH(reader.next(), "a frame with a damaged header, or of another version of lagnet");
  }
}

TEST_CASE("A frame that says it is larger than any of the run is refused before it takes memory") {
  Bytes bytes = frame_with(Vector::Constant(5, 1.0));
  set_length(bytes, 0xffffffff);
  FrameReader reader(limits);
  put(reader, bytes);
  CHECK_THROWS_WITH(reader.next(), "a frame of 4294967295 bytes, expected at most 65536");
  CHECK(reader.room().size() < (1u << 18));
}

TEST_CASE("Bodies whose parts do not fit together are refused") {
  const Bytes frame = frame_with(Vector::Constant(5, 1.0));
  const auto body = std::span(frame).subspan(frame_header_bytes, frame.size() - frame_header_bytes - frame_end_bytes);
  REQUIRE(read_message(Frame{{}, body}, limits).message.body.size() == 5);
  for (std::size_t bytes = 0; bytes < body.size(); ++bytes)
    CHECK_THROWS_AS(read_message(Frame{{}, body.first(bytes)}, limits), FrameError);
  CHECK_THROWS_AS(read_message(Frame{{}, body}, {.largest_body = 100, .links = 6}), FrameError);  // it has link 6
  CHECK_THROWS_AS(read_receipt(body, limits), FrameError);
  CHECK_THROWS_AS(read_hello(body), FrameError);
}

TEST_CASE("Readers of a million changed frames accept valid ones and refuse the others") {
  Draws random(7, Purpose("test"));
  Hello hello;
  hello.peer = 1;
  hello.build = "0.1.0 of a kind";
  Vector sparse = Vector::Zero(100);
  sparse[3] = sparse[70] = 0.1;
  const std::vector<Bytes> frames{frame_with(Vector::Constant(5, 1.0)), OutgoingFrame::hello(hello).bytes(),
                                  frame_with(Payload::as_encoding(Payload(sparse), 20))};
  std::size_t taken = 0;
  for (int trial = 0; trial < 1'000'000; ++trial) {
    Bytes changed = frames[random.bits() % frames.size()];
    for (int changes = 0; changes < 4; ++changes)
      changed[random.bits() % changed.size()] = static_cast<std::byte>(random.bits());
    changed.resize(random.bits() % 2 == 0 ? changed.size() : frame_header_bytes + random.bits() % changed.size());
    // With the checksums that it has by now, since others are refused whatever is in them.
    const std::size_t end = changed.size() - std::min(changed.size(), frame_end_bytes);
    const std::uint32_t body_bytes = static_cast<std::uint32_t>(end - std::min(end, frame_header_bytes));
    set_length(changed, body_bytes);
    const std::uint32_t sum = Crc32c().add(std::span(changed).first(end)).value();
    std::memcpy(changed.data() + end, &sum, std::min(sizeof sum, changed.size() - end));
    FrameReader reader(limits);
    try {
      std::ranges::copy(changed, reader.room().begin());
      reader.add(changed.size());
      const auto frame = reader.next();
      if (!frame) continue;
      if (frame->header.kind == FrameKind::hello) {
        const Hello read = read_hello(frame->body);
        REQUIRE(read.build.size() <= frame->body.size());
      } else if (frame->header.kind == FrameKind::message || frame->header.kind == FrameKind::receipt) {
        const bool is_message = frame->header.kind == FrameKind::message;
        const LinkMessage read = is_message ? read_message(*frame, limits) : read_receipt(frame->body, limits);
        REQUIRE(read.link < limits.links);
        REQUIRE(static_cast<std::size_t>(read.message.body.size()) * sizeof(double) <= limits.largest_body);
      }
      ++taken;
    } catch (const FrameError&) {
    }
  }
  CHECK(taken > 10'000);  // so that what is in them was looked at
}

}  // namespace lagnet::frame_test
