#include "algorithms/compression/kept_entries.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/unit/algorithms/compression/some_compressors.hpp"

namespace lagnet::kept_entries_test {

namespace {

/// By sorting: the first k of the entries by falling absolute value, of equal ones by index.
Vector by_sorting(const Vector& x, Index k) {
  std::vector<Index> order(static_cast<std::size_t>(x.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return std::abs(x[a]) > std::abs(x[b]); });
  Vector kept = Vector::Zero(x.size());
  for (Index j = 0; j < k; ++j) kept[order[static_cast<std::size_t>(j)]] = x[order[static_cast<std::size_t>(j)]];
  return kept;
}

}  // namespace

TEST_CASE("a fraction is rounded up but for rounding and keeps one entry at least") {
  const auto kept = [](double fraction, Index d) { return KeptShare{.fraction = fraction}.of(d); };
  CHECK(kept(0.3, 10) == 3);  // 0.3 is above three tenths as a double, or below
  CHECK(kept(0.1, 10) == 1);
  CHECK(kept(0.31, 10) == 4);
  CHECK(kept(0.001, 10) == 1);
  CHECK(kept(1, 10) == 10);
  CHECK(kept(0.7, 1'000'000) == 700'000);
  CHECK(KeptShare{.k = 12}.of(10) == 10);
  CHECK(KeptShare{.k = 12}.of(100) == 12);
}

TEST_CASE("indices are a bitmap where that is shorter than a list") {
  CHECK(index_bits(2, 10) == 8);   // 4 bits each
  CHECK(index_bits(3, 10) == 10);  // a list of 12 is longer
  CHECK(index_bits(4, 16) == 16);  // both
  CHECK(index_bits(1, 1) == 0);    // nothing to tell
  CHECK(index_bits(7, 1000) == 70);
  for (const auto& [k, d] : {std::pair<Index, Index>(2, 10), {3, 10}, {4, 16}, {1, 1}, {60, 64}}) {
    std::vector<std::uint32_t> indices;
    for (Index j = 0; j < k; ++j) indices.push_back(static_cast<std::uint32_t>(j * d / k));
    BitWriter to;
    put_indices(indices, d, to);
    CHECK(to.size() == index_bits(k, d));
    BitReader from(to.bytes());
    CHECK(take_indices(k, d, from) == indices);
  }
}

using namespace lagnet::test;

TEST_CASE("top_k keeps the largest entries and of equal ones those of lower index") {
  const Vector x{{1, -3, 3, 0.5, -3, 2}};
  CHECK(compressed(TopKOptions{.k = 1}, x) == Vector{{0, -3, 0, 0, 0, 0}});
  CHECK(compressed(TopKOptions{.k = 2}, x) == Vector{{0, -3, 3, 0, 0, 0}});
  CHECK(compressed(TopKOptions{.k = 4}, x) == Vector{{0, -3, 3, 0, -3, 2}});
  CHECK(compressed(TopKOptions{.k = 6}, x) == x);
}

TEST_CASE("top_k is what sorting gives in long vectors with ties subnormal numbers and zeros") {
  for (const Index d : {5, 100, 5000, 70'000})
    for (const double share : {0.0001, 0.01, 0.3, 0.9, 0.9999}) {
      Vector normal = normal_vector(d, 8), coarse = (4 * normal).array().round() / 4, tiny = normal * 1e-310,
             powers = normal.array().exp().pow(9), sparse = coarse;
      for (Index i = 0; i < d; i += 2) sparse[i] = 0;
      for (const Vector& x : {normal, coarse, tiny, powers, sparse, Vector(Vector::Constant(d, -2.5))}) {
        const Index k = std::max<Index>(1, static_cast<Index>(share * static_cast<double>(d)));
        CAPTURE(d, k);
        CHECK(compressed(TopKOptions{.k = k}, x) == by_sorting(x, k));
      }
    }
}

TEST_CASE("top_k sends k entries with zeros among them where there are no others") {
  const Vector x{{0, 0, 5, 0, 0, 0, 0, 0}};
  const auto Q = make_compressor(TopKOptions{.k = 3}, 8);
  BitWriter encoding;
  CompressionDraws draws;
  Q->encode(x, draws, 64, encoding);
  CHECK(encoding.size() == 3 * 64 + 8);
  BitReader reader(encoding.bytes());
  CHECK(Q->decode(reader, draws, 64) == x);
}

TEST_CASE("top_k bills a comparison of each entry with the k and nothing where it keeps all") {
  CHECK(make_compressor(TopKOptions{.k = 3}, 10)->flops() == 10 + 10 * 2);
  CHECK(make_compressor(TopKOptions{.k = 4}, 10)->flops() == 10 + 10 * 3);
  CHECK(make_compressor(TopKOptions{.k = 10}, 10)->flops() == 0);
  CHECK(make_compressor(TopKOptions{.k = 10}, 10)->bits(64) == 640);
}

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

}  // namespace lagnet::kept_entries_test
