#include "topologies/designs/delays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lagnet {

Delays::Delays(const Matrix& seconds) {
  std::vector<Diagnostic> problems;
  if (seconds.rows() != seconds.cols() || seconds.rows() < 1)
    problems.push_back({"delays", "a square matrix", fmt::format("{} x {}", seconds.rows(), seconds.cols())});
  else
    for (Index i = 0; i < seconds.rows(); ++i)
      for (Index j = 0; j < seconds.cols(); ++j)
        if (i != j && !(std::isfinite(seconds(i, j)) && seconds(i, j) >= 0))
          problems.push_back(
              {fmt::format("delay ({}, {})", i, j), "finite and at least 0 s", fmt::format("{}", seconds(i, j))});
  if (!problems.empty()) throw Diagnosed(std::move(problems));
  seconds_ = (seconds + seconds.transpose()) / 2;
  seconds_.diagonal().setZero();
}

std::vector<std::pair<AgentId, AgentId>> Delays::ascending_pairs() const {
  std::vector<std::pair<AgentId, AgentId>> pairs;
  const auto m = static_cast<AgentId>(agents());
  for (AgentId i = 0; i < m; ++i)
    for (AgentId j = i + 1; j < m; ++j) pairs.emplace_back(i, j);
  std::ranges::stable_sort(pairs, {}, [this](const auto& pair) { return between(pair.first, pair.second); });
  return pairs;
}

LinkLengths link_lengths(const Delays& delays, const Topology& topology) {
  LinkLengths lengths;
  for (const Edge& edge : topology.edges()) {
    const double delay = delays.between(edge.from, edge.to);
    lengths.longest_s = std::max(lengths.longest_s, delay);
    lengths.total_s += delay;
  }
  return lengths;
}

}  // namespace lagnet
