#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "sim/accounts/ledger.hpp"

/// Blocks of samples x features for the tests of methods that divide cells.
namespace lagnet::test {

/// K even groups of samples x Q even groups of features; all samples and features divide.
inline MethodInput divided(Problem problem, Index K, Index Q, Round rounds) {
  const Matrix X = problem.X->dense();
  const Index n = X.rows() / K, m = X.cols() / Q;
  std::vector<CellBlock> blocks;
  for (Index g = 0; g < K; ++g)
    for (Index q = 0; q < Q; ++q) {
      std::vector<Index> samples, features;
      for (Index i = 0; i < n; ++i) samples.push_back(g * n + i);
      for (Index j = 0; j < m; ++j) features.push_back(q * m + j);
      const Matrix block = X.block(g * n, q * m, n, m);
      blocks.emplace_back(samples, features,
                          problem.X->is_sparse() ? DataMatrix(SparseMatrix(block.sparseView())) : DataMatrix(block),
                          Vector(problem.y.segment(g * n, n)));
    }
  MethodInput given{.problem = std::move(problem), .rounds = rounds};
  given.cells = std::make_shared<const Cells>(std::move(blocks), X.rows(), X.cols());
  given.network.agents = K * Q + 1;
  return given;
}

/// What an algorithm's remarks on a run go by.
inline RunCounts counts_of(const Ledger& ledger) {
  RunCounts counts;
  for (AgentId k = 0; k < ledger.agents(); ++k)
    counts.agents.push_back({.messages_sent = ledger.agent(k).messages_sent, .flops = ledger.agent(k).flops});
  return counts;
}

}  // namespace lagnet::test
