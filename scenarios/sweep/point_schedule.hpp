#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "sim/base/types.hpp"

namespace lagnet {

/// The memory that a point of a sweep takes, in bytes.
struct MemoryNeed {
  Bytes own = 0;                 // from its start to its end
  Bytes shared = 0;              // of something that other points use, too; it exists once for all running points
  std::size_t shared_thing = 0;  // which one
};

/// Decides which points of a sweep run in parallel. They start in their order, at most `jobs` at a time and only while
/// the needs of all that run fit into the budget; a point that needs more than the budget runs alone. A point that does
/// not fit lets later ones go first, `patience` of them at most, and then running points must make room for it: so no
/// point waits forever. It knows no threads and no clock.
class PointSchedule {
 public:
  static constexpr unsigned patience = 8;

  /// jobs at least 1.
  PointSchedule(std::vector<MemoryNeed> needs, unsigned jobs, Bytes budget);

  /// The point that starts now; from then on it runs. Nothing while none may start.
  std::optional<std::size_t> start();
  /// A point that runs has ended.
  void finish(std::size_t point);
  /// No later point will start.
  void drop_behind(std::size_t point);

  bool done() const { return waiting_.empty() && running_.empty(); }
  const std::vector<std::size_t>& running() const { return running_; }  // in the order of their starts
  Bytes used() const;                                                   // by those that run

 private:
  struct Waiting {
    std::size_t point;
    unsigned overtaken = 0;  // by how many
  };
  bool fits(std::size_t point) const;
  bool is_shared_already(std::size_t thing) const;

  std::vector<MemoryNeed> needs_;
  std::size_t jobs_;
  Bytes budget_;
  std::deque<Waiting> waiting_;  // in order; most leave it at its front
  std::vector<std::size_t> running_;
};

}  // namespace lagnet
