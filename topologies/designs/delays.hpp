#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/array.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// The delay between any two of m agents in either direction: the cost of a link between them. Of two directions that
/// differ it is the mean, since neighbors that wait for each other need one message each way for two rounds.
class Delays {
 public:
  /// `seconds` (m x m): how long what agent i sends takes to agent j, at least 0; the diagonal is not looked at. Throws
  /// Diagnosed for a matrix that is not square or empty, and names each number that is not finite and at least 0.
  explicit Delays(const Matrix& seconds);

  std::int64_t agents() const { return seconds_.rows(); }
  /// In seconds, the same for (j, i); 0 for i = j.
  double between(AgentId i, AgentId j) const { return seconds_(i, j); }
  /// All pairs i < j from the shortest link to the longest, those of equal delay by (i, j). In this order every two
  /// links differ, so that designs have no ties.
  std::vector<std::pair<AgentId, AgentId>> ascending_pairs() const;

 private:
  Matrix seconds_;  // symmetric (m x m)
};

/// How long the links of a graph are. It is shorter than another one if its longest link is, or else all of them
/// together are: the order of the members.
struct LinkLengths {
  double longest_s = 0;
  double total_s = 0;
  auto operator<=>(const LinkLengths&) const = default;
};
LinkLengths link_lengths(const Delays& delays, const Topology& topology);

}  // namespace lagnet
