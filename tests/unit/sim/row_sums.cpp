#include "sim/row_sums.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "sim/draws.hpp"

using namespace lagnet;

namespace {

Vector noise(Index size, AgentId which) {
  Draws draws(1, Purpose("row sums"), which);
  Vector v(size);
  for (double& x : v) x = draws.normal();
  return v;
}

}  // namespace

TEST_CASE("Sums of rows have the bits of the plain loop, for any number of rows and entries") {
  // Below, at and above the 8 rows of a fused pass and the 1024 entries of a strip.
  for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 16u, 19u})
    for (const Index size : {0, 1, 3, 1023, 1024, 1025, 2500})
      for (const bool weighted : {false, true}) {
        std::vector<Vector> rows;
        std::vector<const double*> pointers;
        std::vector<double> weights;
        for (std::size_t k = 0; k < count; ++k) {
          rows.push_back(noise(size, static_cast<AgentId>(k)));
          if (weighted) weights.push_back(noise(1, static_cast<AgentId>(100 + k))[0]);
        }
        for (const Vector& row : rows) pointers.push_back(row.data());

        Vector expected = noise(size, 99);
        Vector sum = expected;
        for (Index i = 0; i < size; ++i)
          for (std::size_t k = 0; k < count; ++k) expected[i] += weighted ? weights[k] * rows[k][i] : rows[k][i];
        add_rows(pointers, weights, sum);
        INFO(count << " rows of " << size << (weighted ? ", weighted" : ""));
        REQUIRE(sum == expected);
      }
}

TEST_CASE("Rows are added in their order, so that cancellation comes out the same") {
  const Vector big = Vector::Constant(3, 1e16), one = Vector::Ones(3), minus = Vector::Constant(3, -1e16);
  const std::vector<const double*> lost{big.data(), one.data(), minus.data()},
      kept{big.data(), minus.data(), one.data()};
  Vector sum = Vector::Zero(3);
  add_rows(lost, {}, sum);
  CHECK(sum == Vector::Zero(3));  // 1e16 + 1 rounds to 1e16
  sum.setZero();
  add_rows(kept, {}, sum);
  CHECK(sum == Vector::Ones(3));
}
