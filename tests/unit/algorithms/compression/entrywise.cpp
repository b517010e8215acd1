#include "algorithms/compression/entrywise.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "sim/base/draws.hpp"
#include "tests/unit/algorithms/compression/some_compressors.hpp"

namespace lagnet::entrywise_test {

namespace {

double natural(double x, double u, const NaturalOptions& options = {}) {
  CompressionDraws draws([u](AgentId, Round, Index) { return u; }, 0, 1);
  Vector one{{x}};
  make_compressor(options, 1)->compress(one, draws);
  return one[0];
}

/// Numbers of all sizes and signs, and halfway between floats.
std::vector<double> sizes() {
  std::vector<double> all{0.0,      1.0,      -1.0,    1 + 0x1p-24, 1 + 0x3p-24, 1 + 0x1p-24 + 0x1p-52,
                          0x1p-149, 0x1p-150, 0x3p-150};
  Draws draws(3, Purpose{"test"});
  for (int k = 0; k < 20'000; ++k) all.push_back(std::ldexp(draws.normal(), static_cast<int>(draws.below(300)) - 160));
  return all;
}

/// As the compressor of one entry leaves it.
double rounded_to(NumberFormat format, double x) {
  CompressionDraws none;
  Vector entry = Vector::Constant(1, x);
  make_compressor(RoundingOptions{.format = format}, 1)->compress(entry, none);
  return entry[0];
}

}  // namespace

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

TEST_CASE("rounding to float32 is that of the processor where it does not overflow") {
  for (const double x : sizes()) {
    const float nearest = static_cast<float>(x);
    if (std::isfinite(nearest)) CHECK(rounded_to(NumberFormat::float32, x) == static_cast<double>(nearest));
  }
}

TEST_CASE("numbers of half precision are rounded as IEEE 754 says") {
  const auto half = [](double x) { return rounded_to(NumberFormat::float16, x); };
  CHECK(half(1 + 0x1p-11) == 1);           // halfway: to the even one
  CHECK(half(1 + 0x3p-11) == 1 + 0x1p-9);  // halfway: to the even one
  CHECK(half(1 + 0x1p-11 + 0x1p-40) == 1 + 0x1p-10);
  CHECK(half(2 - 0x1p-12) == 2);  // a carry into the exponent
  CHECK(half(65504) == 65504);
  CHECK(half(65519) == 65504);
  CHECK(half(65520) == 65504);  // would be infinite
  CHECK(half(-1e30) == -65504);
  CHECK(half(0x1p-24) == 0x1p-24);  // the smallest
  CHECK(half(0x1p-25) == 0);        // halfway to it
  CHECK(half(0x1p-25 + 0x1p-40) == 0x1p-24);
  CHECK(half(0x1.8p-24) == 0x1p-23);          // halfway between two and one: even
  CHECK(half(0x1p-14 - 0x1p-26) == 0x1p-14);  // up to the normal ones
}

TEST_CASE("bfloat16 has the exponents of float32 and 8 significant bits") {
  const auto rounded = [](double x) { return rounded_to(NumberFormat::bfloat16, x); };
  CHECK(rounded(1 + 0x1p-8) == 1);
  CHECK(rounded(1 + 0x3p-8) == 1 + 0x1p-6);
  CHECK(rounded(1e300) == 0x1.FEp127);
  CHECK(rounded(0x1p-133) == 0x1p-133);
  CHECK(rounded(0x1p-134) == 0);
}

TEST_CASE("rounding keeps to its delta and does nothing twice") {
  for (const NumberFormat format : {NumberFormat::float32, NumberFormat::float16, NumberFormat::bfloat16}) {
    const auto Q = make_compressor(RoundingOptions{.format = format}, 1);
    for (const double x : sizes()) {
      const double y = rounded_to(format, x);
      CHECK(rounded_to(format, y) == y);
      if (std::abs(x) >= 0x1p-14 && std::abs(x) <= 65504) CHECK((y - x) * (y - x) <= (1 - Q->delta()) * x * x);
    }
  }
}

}  // namespace lagnet::entrywise_test
