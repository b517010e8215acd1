#include "algorithms/kernels/sparse_kernels.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "sim/base/draws.hpp"

namespace lagnet::sparse_kernels_test {

TEST_CASE("Sparse kernels give the bits of plain loops in four lanes") {
  Draws draws(1, Purpose{"sparse"});
  const Vector v = Vector::NullaryExpr(40, [&] { return draws.normal(); });
  for (const Index entries : {0, 1, 3, 4, 5, 8, 13}) {  // no lane, some, all, and beyond
    std::vector<double> value;
    std::vector<SparseMatrix::StorageIndex> index;
    for (Index e = 0; e < entries; ++e) {
      value.push_back(draws.normal());
      index.push_back(static_cast<SparseMatrix::StorageIndex>(3 * e));
    }
    double lane[4] = {};
    Vector sum = v;
    for (std::size_t e = 0; e < value.size(); ++e) {
      lane[e % 4] += value[e] * v[index[e]];
      sum[index[e]] += 1.5 * value[e];
    }
    CHECK(sparse_dot(value.data(), index.data(), entries, v.data()) == (lane[0] + lane[2]) + (lane[1] + lane[3]));
    Vector added = v;
    sparse_axpy(1.5, value.data(), index.data(), entries, added.data());
    CHECK(added == sum);
  }
}

}  // namespace lagnet::sparse_kernels_test
