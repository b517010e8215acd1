#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/array.hpp"
#include "sim/types.hpp"
#include "sim/workers.hpp"

namespace lagnet {

/// What one agent adds up: the vectors of its neighbors. Its order, and so its bits, follow from whose vectors they
/// are, never from when they came or what else is added up at that instant:
///   - the vectors of everybody else, without weights: those of the agents before the receiver, added upwards, plus
///     those of the agents after it, added downwards;
///   - any others: in groups of six agents (0-5, 6-11, ...), each group added upwards, then the groups to the start.
/// Both let receivers share partial sums.
struct NeighborSum {
  AgentId receiver = 0;
  std::span<const AgentId> senders;     // ascending, without the receiver
  std::span<const double* const> rows;  // their vectors
  std::span<const double> weights;      // theirs, or empty: ones
  double* sum = nullptr;                // holds the start, zeros where there are no weights; gets the sum
  Index size = 0;                       // of every vector
};

/// Adds up everything that becomes due at one instant, in strips that stay in the cache.
class NeighborSums {
 public:
  /// `agents` in all. The sums must not share memory.
  void add_up(std::span<const NeighborSum> sums, AgentId agents, Workers& workers);

 private:
  struct Use {  // of some of a group's vectors, by a receiver
    std::uint32_t group;
    std::uint32_t receiver;
    std::uint32_t first;  // of the vectors in the receiver's list
    std::uint8_t count;
    std::uint8_t mask;
  };
  struct Group {
    AgentId number = 0;  // of agents 6 * number and following
    bool tabled = false;
  };
  struct Chunk {  // of groups whose tables are in the cache together
    std::uint32_t first_group = 0, end_group = 0;
    std::uint32_t first_use = 0, end_use = 0;
  };
  bool know_rows(std::span<const NeighborSum> sums, AgentId agents);
  void forget_rows(std::span<const NeighborSum> sums);
  void make_groups(std::span<const NeighborSum> sums);
  void add_groups(std::span<const NeighborSum> sums, Index first, Index count, std::vector<double>& scratch) const;
  void add_everybody_else(std::span<const NeighborSum> sums, AgentId agents, Index first, Index count,
                          std::vector<double>& scratch) const;

  std::vector<const double*> row_of_;  // by agent; null where unknown
  std::vector<Group> groups_;
  std::vector<Chunk> chunks_;
  std::vector<Use> uses_;  // by chunk, receiver, group
};

/// One of them alone.
void add_up(const NeighborSum& sum, AgentId agents);

}  // namespace lagnet
