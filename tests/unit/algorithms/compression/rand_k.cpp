#include "algorithms/compression/rand_k.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/algorithms/compression/some_compressors.hpp"

namespace lagnet::rand_k_test {

using namespace lagnet::test;

TEST_CASE("rand_k draws the front of a shuffle") {
  const std::vector<double> u{0.5, 0.99, 0.0};
  CompressionDraws draws([&](AgentId, Round, Index i) { return u.at(static_cast<std::size_t>(i)); }, 0, 1);
  Vector x{{1, 2, 3, 4, 5}};
  // 0 1 2 3 4 -> r = 0 + floor(2.5) = 2: 2 1 0 3 4 -> r = 1 + floor(3.96) = 4: 2 4 0 3 1 -> r = 2: 2 4 0
  make_compressor(RandKOptions{.k = 3}, 5)->compress(x, draws);
  CHECK(x == 5.0 / 3 * Vector{{1, 0, 3, 0, 5}});
}

TEST_CASE("each entry is kept as often as any other") {
  Vector kept = Vector::Zero(6);
  constexpr Round repetitions = 3000;
  for (Round t = 1; t <= repetitions; ++t)
    kept += compressed(RandKOptions{.k = 2, .scaled = false}, Vector(Vector::Ones(6)), t);
  CHECK(kept.sum() == 2 * repetitions);
  // A binomial count of mean 1000 and deviation 26, five times.
  for (const double count : kept) CHECK(count == Approx(1000).margin(130));
}

TEST_CASE("seeded indices cost nothing and receivers draw them again") {
  const auto sent = make_compressor(RandKOptions{.k = 2}, 10),
             seeded = make_compressor(RandKOptions{.k = 2, .indices = IndicesAre::seeded}, 10);
  CHECK(sent->bits(64) == 128 + 8);
  CHECK(seeded->bits(64) == 128);
  const Vector x = normal_vector(10, 3);
  CHECK(compressed(*sent, x) == compressed(*seeded, x));
}

TEST_CASE("rand_k bills its draws and what it scales") {
  CHECK(make_compressor(RandKOptions{.k = 3}, 10)->flops() == 6);
  CHECK(make_compressor(RandKOptions{.k = 3, .scaled = false}, 10)->flops() == 3);
  CHECK(make_compressor(RandKOptions{.k = 10}, 10)->flops() == 0);
}

}  // namespace lagnet::rand_k_test
