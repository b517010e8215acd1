#include "algorithms/kernels/cells.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

namespace lagnet::cells_test {

TEST_CASE("Clients that hold parts of exactly the same samples are known by the first of them") {
  const auto block = [](std::vector<Index> samples, std::vector<Index> features) {
    const auto n = std::ssize(samples), m = std::ssize(features);
    return CellBlock(std::move(samples), std::move(features), DataMatrix(Matrix::Ones(n, m)), Vector::Ones(n));
  };
  // Sample 0 is in three lists, two of them equal; the last list but one has some of theirs; no agent holds the last.
  std::vector<CellBlock> blocks;
  blocks.push_back(block({0, 1}, {0}));
  blocks.push_back(block({2, 3}, {0, 1, 2}));
  blocks.push_back(block({0, 1}, {1}));
  blocks.push_back(block({0}, {2}));
  blocks.push_back(block({}, {1}));
  blocks.push_back(block({1}, {2}));
  const Cells cells(std::move(blocks), 5, 3);
  const std::vector<AgentId> expected{1, 2, 1, 4, 5, 6};
  for (AgentId k = 1; k <= 6; ++k) CHECK(cells.first_with_samples_of(k) == expected[k - 1]);
}

}  // namespace lagnet::cells_test
