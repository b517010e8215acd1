#include "sim/base/bit_stream.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/errors.hpp"

namespace lagnet::bit_stream_test {

TEST_CASE("a logarithm is rounded up") {
  CHECK(ceil_log2(1) == 0);
  CHECK(ceil_log2(2) == 1);
  CHECK(ceil_log2(3) == 2);
  CHECK(ceil_log2(1024) == 10);
  CHECK(ceil_log2(1025) == 11);
}

TEST_CASE("bits are read as they were written and none beyond the last byte") {
  BitWriter to;
  to.put(5, 3);
  to.put_value(-1.5, 64);
  to.put(0, 0);
  to.put_value(M_PI, 16);
  CHECK(to.size() == 83);
  BitReader from(to.bytes());
  CHECK(from.take(3) == 5);
  CHECK(from.take_value(64) == -1.5);
  CHECK(from.take(0) == 0);
  CHECK(from.take_value(16) == 3.125);  // 4 bits behind the leading one
  CHECK(to.bytes().size() == 11);
  CHECK(from.take(5) == 0);
  CHECK(from.position() == 88);
  CHECK_THROWS_AS(from.take(1), InternalError);
}

}  // namespace lagnet::bit_stream_test
