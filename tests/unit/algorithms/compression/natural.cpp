#include "algorithms/compression/natural.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/unit/algorithms/compression/some_compressors.hpp"

namespace lagnet::natural_test {

namespace {

double natural(double x, double u, const NaturalOptions& options = {}) {
  CompressionDraws draws([u](AgentId, Round, Index) { return u; }, 0, 1);
  Vector one{{x}};
  make_compressor(options, 1)->compress(one, draws);
  return one[0];
}

}  // namespace

TEST_CASE("an entry becomes one of the powers of two around it as it is drawn") {
  CHECK(natural(5, 0.24) == 8);  // f = 1.25
  CHECK(natural(5, 0.26) == 4);
  CHECK(natural(-0.75, 0.49) == -1);
  CHECK(natural(-0.75, 0.51) == -0.5);
  CHECK(natural(4, 0.001) == 4);  // a power of two stays
  CHECK(natural(0, 0.001) == 0);
}

TEST_CASE("powers beyond the exponents are zero or the largest") {
  const NaturalOptions wide{.exponent_bits = 11};
  const double least8 = std::ldexp(1.0, -126), most8 = std::ldexp(1.0, 127), most = std::ldexp(1.0, 1023);
  CHECK(natural(least8, 0.5) == least8);
  CHECK(natural(least8 * 0.75, 0.49) == least8);
  CHECK(natural(least8 * 0.75, 0.51) == 0);
  CHECK(natural(least8 * 0.25, 0.001) == 0);
  CHECK(natural(most8 * 1.5, 0.4) == most8);
  CHECK(natural(-std::ldexp(1.5, 200), 0.4) == -most8);
  CHECK(natural(std::ldexp(1.5, 200), 0.6, wide) == std::ldexp(1.0, 200));
  CHECK(natural(std::numeric_limits<double>::max(), 0.4, wide) == most);
  CHECK(natural(std::numeric_limits<double>::denorm_min(), 0.4, wide) == 0);
  CHECK(natural(std::numeric_limits<double>::min(), 0.4, wide) == std::numeric_limits<double>::min());
}

TEST_CASE("the ends of the exponents can be read back") {
  for (const std::int64_t bits : {8, 11}) {
    const int last = (1 << (bits - 1)) - 1;
    const auto Q = make_compressor(NaturalOptions{.exponent_bits = bits}, 3);
    const Vector x{{std::ldexp(1.0, 1 - last), -std::ldexp(1.0, last), 0}};
    BitWriter encoding;
    CompressionDraws draws;
    Q->encode(x, draws, 64, encoding);
    BitReader reader(encoding.bytes());
    CHECK(Q->decode(reader, draws, 64) == x);
  }
}

}  // namespace lagnet::natural_test
