#include "algorithms/compression/dithering.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/unit/algorithms/compression/some_compressors.hpp"

namespace lagnet::dithering_test {

using namespace lagnet::test;

namespace {

/// The same number at every draw.
CompressionDraws always(double u) {
  return {[u](AgentId, Round, Index) { return u; }, 0, 1};
}

Vector dithered(const DitheringOptions& options, Vector x, double u) {
  CompressionDraws draws = always(u);
  make_compressor(options, x.size())->compress(x, draws);
  return x;
}

}  // namespace

TEST_CASE("entries go up or down to a level as they are drawn") {
  // N = 4 and s = 2: levels 0, 2 and 4; a = 2, 0.5, 1.5 and 0.
  const DitheringOptions options{.levels = 2, .norm = DitheringNorm::linf};
  const Vector x{{4, -1, 3, 0}};
  CHECK(dithered(options, x, 0.4) == Vector{{4, -2, 4, 0}});
  CHECK(dithered(options, x, 0.6) == Vector{{4, 0, 2, 0}});
  CHECK(dithered({.levels = 1}, Vector{{3, -4}}, 0.7) == Vector{{0, -5}});  // a = 0.6 and 0.8 of N = 5
}

TEST_CASE("blocks have norms of their own and the last one may be short") {
  const DitheringOptions options{.levels = 1, .norm = DitheringNorm::linf, .block = 2};
  CHECK(dithered(options, Vector{{1, -2, 0, 0, 8}}, 0.4) == Vector{{2, -2, 0, 0, 8}});
  CHECK(make_compressor(options, 5)->bits(64) == 3 * 64 + 5 * 2);
}

TEST_CASE("the largest entry is never rounded beyond the norm whatever is drawn") {
  // The norm of one entry is that entry to the last bit, or a unit below: a is cut at s.
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Vector x = Vector::Zero(3);
    x[1] = normal_vector(1, seed)[0];
    for (const std::int64_t s : {1, 3, 7}) CHECK(dithered({.levels = s}, x, 1e-300).norm() <= x.norm() * (1 + 1e-15));
  }
}

TEST_CASE("sizes below 2^-600 and above 2^600 are dithered like others") {
  const Vector x{{3, -4}};
  for (const double size : {std::ldexp(1.0, -1060), std::ldexp(1.0, 1000)})
    CHECK(dithered({.levels = 1}, Vector(x * size), 0.7) == Vector(Vector{{0, -5}} * size));
}

TEST_CASE("omega is the smaller of both bounds") {
  const auto omega = [](const DitheringOptions& options, Index d) { return *make_compressor(options, d)->omega(); };
  const auto linf = DitheringNorm::linf;
  CHECK(omega({.levels = 1}, 10) == Approx(2.5));
  CHECK(omega({.levels = 1}, 100) == Approx(10));
  CHECK(omega({.levels = 2, .norm = linf}, 10) == Approx(10.0 / 16));
  CHECK(omega({.levels = 1, .norm = linf}, 100) == Approx(5.5));
  CHECK(omega({.levels = 2, .norm = linf, .block = 4}, 10) == Approx(0.25));
  CHECK(omega({.levels = 2, .norm = linf, .block = 40}, 10) == Approx(10.0 / 16));
}

TEST_CASE("the largest number of levels takes 33 bits an entry") {
  const DitheringOptions options{.levels = std::int64_t{1} << 31};
  CHECK(make_compressor(options, 4)->bits(64) == 64 + 4 * 33);
  const Vector x{{0.5, -0.5, 0.5, 0.5}};  // N = 1: levels that are whole already
  CHECK(dithered(options, x, 0.5) == x);
}

}  // namespace lagnet::dithering_test
