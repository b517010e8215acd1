#include "algorithms/compression/kept_entries.hpp"

#include <catch2/catch.hpp>

namespace lagnet::kept_entries_test {

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

}  // namespace lagnet::kept_entries_test
