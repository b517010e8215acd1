#include "algorithms/compression/scaled_sign.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/compression/some_compressors.hpp"

namespace lagnet::scaled_sign_test {

using namespace lagnet::test;

TEST_CASE("signs are multiplied by the mean size and zero has the sign +1") {
  CHECK(compressed(ScaledSignOptions{}, Vector{{3, -1, 0, -4}}) == Vector{{2, -2, 2, -2}});
  CHECK(compressed(ScaledSignOptions{}, Vector{{0, 0}}) == Vector{{0, 0}});
}

TEST_CASE("scaled_sign sends a number and a bit for each entry") {
  const auto Q = make_compressor(ScaledSignOptions{}, 10);
  CHECK(Q->bits(64) == 74);
  CHECK(Q->flops() == 31);
  CHECK(Q->kept() == 10);
}

}  // namespace lagnet::scaled_sign_test
