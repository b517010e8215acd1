#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/world/network.hpp"

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

/// By ascending resources.
using AccountsOfResources = std::vector<std::pair<ResourceId, ResourceAccount>>;

/// The accounts of those resources of a network that have an effect, which may be few of very many. A message waits at
/// a resource from when its first bit comes until the resource begins with it; who begins at once does not wait.
class ResourceAccounts {
 public:
  explicit ResourceAccounts(const Network& network);

  /// Whether it has an account, as those have that the other calls name.
  bool counts(ResourceId id) const { return places_[id] != none; }

  struct Visit {
    Bytes bytes = 0;
    Time came, begins;
    Time ends;  // when the resource had time for all its bytes
    Time left;  // when its last bit was through, no earlier than that
    bool is_lost = false;
  };
  /// Those of one resource in the order in which it begins with them; `now` is no later than the end of the run. What
  /// came before others that it begins with earlier may count too few that wait.
  void add(ResourceId at, const Visit& visit, Time now);
  /// A message that was lost when it came, since there was no room.
  void refuse(ResourceId at, Bytes bytes);
  /// Messages at a resource without a queue.
  void pass(ResourceId at, const ResourceAccount& more);

  /// Messages that have not begun, by resource, each after all that were added before it.
  using Waiting = std::map<ResourceId, std::vector<Visit>>;
  /// What has happened by then, which is no earlier than `now` of any call before.
  AccountsOfResources until(Time end, const Waiting& waiting = {}) const;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Counted {
    ResourceId id = 0;
    ResourceAccount account;       // of visits that are over
    std::vector<Visit> under_way;  // the others, from `first` on
    std::size_t first = 0;
  };
  Counted& counted(ResourceId id) { return counted_[places_[id]]; }
  static void settle(ResourceAccount& account, const Visit& visit, Time end);
  static std::int64_t waiting_at(const Counted& here, Time at);

  std::vector<std::uint32_t> places_;  // of resources in counted_
  std::vector<Counted> counted_;
};

}  // namespace lagnet
