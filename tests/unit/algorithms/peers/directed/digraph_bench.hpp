#pragma once

#include <utility>
#include <vector>

#include "tests/unit/algorithms/peers/baseline_bench.hpp"

/// Benches of methods whose links may go one way, and their weights as matrices.
namespace lagnet::test {

using Arcs = std::vector<std::pair<AgentId, AgentId>>;

/// A ring of eight arcs and four chords: out-degrees and in-degrees are 1 or 2, and differ.
inline Arcs odd_digraph() {
  Arcs arcs = ring_edges(8);
  for (const auto& chord : Arcs{{0, 3}, {5, 2}, {6, 1}, {0, 5}}) arcs.push_back(chord);
  return arcs;
}

/// Eight agents of well-conditioned least squares, with 10 samples each.
inline PeerBench digraph_bench(Round rounds, Arcs arcs = odd_digraph()) {
  return {.problem = normal_regression(80, 4),
          .sizes = std::vector<Index>(8, 10),
          .edges = std::move(arcs),
          .rounds = rounds,
          .one_way = true};
}

/// 1 + how many arcs leave, or enter, each agent.
inline Vector divisors(const PeerBench& bench, bool out) {
  Vector counts = Vector::Ones(bench.agents());
  for (const auto& [from, to] : bench.edges) {
    ++counts[out ? from : to];
    if (!bench.one_way) ++counts[out ? to : from];
  }
  return counts;
}

/// Of agents that send to others, and to themselves: entry (i, j) is 1 where j sends to i (m x m).
inline Matrix sends(const PeerBench& bench) {
  Matrix all = Matrix::Identity(bench.agents(), bench.agents());
  for (const auto& [from, to] : bench.edges) {
    all(to, from) = 1;
    if (!bench.one_way) all(from, to) = 1;
  }
  return all;
}
inline Matrix push_matrix(const PeerBench& bench) {
  return sends(bench) * divisors(bench, true).cwiseInverse().asDiagonal();
}
inline Matrix pull_matrix(const PeerBench& bench) {
  return divisors(bench, false).cwiseInverse().asDiagonal() * sends(bench);
}

/// grad f_i at row i of X, of least squares (m x d).
inline Matrix gradients(const PeerBench& bench, const Matrix& X) {
  Matrix all(X.rows(), X.cols());
  Index first = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    const Index n = bench.sizes[static_cast<std::size_t>(i)];
    const Matrix own = bench.problem.X->dense().middleRows(first, n);
    const Vector residual = own * X.row(i).transpose() - bench.problem.y.segment(first, n);
    all.row(i) = (own.transpose() * residual / static_cast<double>(n)).transpose();
    first += n;
  }
  return all;
}

/// The first parts of all agents' reports of a round, by rows (m x d).
inline Matrix iterates(const PeerResult& result, std::size_t round) {
  const auto& report = result.reports.at(round);
  Matrix rows(std::ssize(report), report.front().front().size());
  for (std::size_t i = 0; i < report.size(); ++i) rows.row(static_cast<Index>(i)) = report[i].at(0).transpose();
  return rows;
}

/// The sum over all agents of a part of their reports of a round.
inline Vector sum_of_part(const PeerResult& result, std::size_t round, std::size_t part) {
  Vector sum = result.reports.at(round).front().at(part);
  for (std::size_t i = 1; i < result.reports[round].size(); ++i) sum += result.reports[round][i].at(part);
  return sum;
}

}  // namespace lagnet::test
