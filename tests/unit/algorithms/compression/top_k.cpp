#include "algorithms/compression/top_k.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "tests/unit/algorithms/compression/some_compressors.hpp"

namespace lagnet::top_k_test {

using namespace lagnet::test;

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

}  // namespace lagnet::top_k_test
