#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "sim/base/array.hpp"
#include "sim/base/types.hpp"
#include "sim/machine/workers.hpp"

namespace lagnet {

/// The exception thrown while the pieces of one sum were taken. Of several it is the one with the lowest first entry,
/// so that it does not depend on threads.
struct ThrownPiece {
  Index first = 0;
  std::exception_ptr error;
};

/// The receiver of a sum, piece by piece: take(context, first, own, sum) with the entries first .. of the receiver's
/// own vector (if it is given) and of the sum. The pieces cover all entries; they come in any order and on any thread.
struct SumSink {
  void (*take)(const void* context, Index first, VectorView own, VectorView sum) = nullptr;
  const void* context = nullptr;
  ThrownPiece* thrown = nullptr;  // where it goes if take throws; without it, take must not
};

/// The sum of one agent: the vectors of its neighbors. Its order, and so its bits, depend on whose vectors they are,
/// never on when they came or on what else is added up at that instant:
///   - the vectors of everybody else, without weights: those of the agents before the receiver, added upwards, plus
///     those of the agents after it, added downwards;
///   - any others: in groups of six agents (0-5, 6-11, ...), each group added upwards, then the groups to the start,
///     own_weight times the own vector.
/// Both let receivers share partial sums.
struct NeighborSum {
  AgentId receiver = 0;
  std::span<const AgentId> senders;     // ascending, without the receiver
  std::span<const double* const> rows;  // their vectors
  std::span<const double> weights;      // theirs, or empty: ones
  const double* own = nullptr;          // the receiver's vector, where it is needed
  double own_weight = 0;                // 0 starts at 0, whatever the own vector is
  Index size = 0;                       // of every vector
  SumSink taker;
};

/// Adds up many sums at once, in strips that stay in the cache.
class NeighborSums {
 public:
  /// `agents` in all. The sums must not share memory.
  void add_up(std::span<const NeighborSum> sums, AgentId agents, Workers& workers);

  /// Notes a sum, or a kernel that uses one, for later: until a result is needed, more agents may become ready. The
  /// vectors, the places of the sums and the kernels must stay until then. Returns a ticket above 0.
  std::uint64_t defer(const NeighborSum& sum) {
    deferred_.push_back(sum);
    return finished_ + 1;
  }
  void defer(Job& kernel) { waiting_.push_back(&kernel); }
  /// Forgets the deferred sum of an agent, if there is one.
  void withdraw(AgentId receiver);
  bool is_deferred(std::uint64_t ticket) const { return ticket > finished_; }
  /// Adds up what is deferred, then starts the kernels, in the order in which they came.
  void finish_deferred(AgentId agents, Workers& workers);

 private:
  bool know_rows(std::span<const NeighborSum> sums, AgentId agents);
  void forget_rows(std::span<const NeighborSum> sums);
  bool is_planned(std::span<const NeighborSum> sums) const;
  void plan(std::span<const NeighborSum> sums);
  void plan_masks(std::span<const NeighborSum> sums);
  void add_with_tables(std::span<const NeighborSum> sums, Index first, Index count, std::vector<double>& scratch) const;
  void add_everybody_else(std::span<const NeighborSum> sums, AgentId agents, Index first, Index count,
                          std::vector<double>& scratch) const;

  std::vector<NeighborSum> deferred_;
  std::vector<Job*> waiting_;
  std::uint64_t finished_ = 0;         // calls of finish_deferred
  std::vector<const double*> row_of_;  // by agent; null where unknown

  // How the same sums were added up last, since they come round after round.
  struct Planned {
    std::size_t senders = 0;
    bool weighted = false;
  };
  std::vector<Planned> planned_;
  std::vector<AgentId> planned_senders_;  // of all, one after the other
  bool tables_pay_ = false;
  // With tables of all groups' partial sums, tables_at_once at a time: for each such chunk of groups, each receiver and
  // each group which of its senders the receiver adds, as StripKernels::add_from_tables wants it.
  std::vector<std::uint16_t> masks_;
};

/// Adds up one sum alone.
void add_up(const NeighborSum& sum, AgentId agents);

}  // namespace lagnet
