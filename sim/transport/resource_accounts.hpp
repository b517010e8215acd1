#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/types.hpp"

namespace lagnet {

/// What messages did at a resource until a moment.
struct ResourceAccount {
  std::int64_t messages = 0;  // that came to it
  Bytes bytes = 0;            // of them
  std::int64_t lost = 0;      // of them, there
  Duration busy;              // with them
  Duration queueing;          // from when each came until it began
  std::int64_t most_waiting = 0;
  bool operator==(const ResourceAccount&) const = default;
};

/// The accounts of all resources of a network. A message waits at a resource from when its first bit comes until the
/// resource begins with it; who begins at once does not wait.
class ResourceAccounts {
 public:
  explicit ResourceAccounts(ResourceId resources) : accounts_(resources), under_way_(resources) {}

  struct Visit {
    Bytes bytes = 0;
    Time came, begins;
    Time ends;  // when the resource had time for all its bytes
    Time left;  // when its last bit was through, no earlier than that
    bool is_lost = false;
  };
  /// Those of one resource by ascending moments at which they came; `now` is no later than the end of the run.
  void add(ResourceId at, const Visit& visit, Time now);
  /// A message that was lost when it came, since there was no room.
  void refuse(ResourceId at, Bytes bytes);
  /// A message at a resource without a queue.
  void pass(ResourceId at, Bytes bytes, Duration busy, bool is_lost);

  /// What has happened by then, which is no earlier than `now` of any call before.
  std::vector<ResourceAccount> until(Time end) const;

 private:
  static void settle(ResourceAccount& account, const Visit& visit, Time end);

  std::vector<ResourceAccount> accounts_;     // of visits that are over
  std::vector<std::deque<Visit>> under_way_;  // the others
};

}  // namespace lagnet
