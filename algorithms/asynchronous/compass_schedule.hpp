#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "sim/base/types.hpp"

/// The schedule of FedCompass: how many local steps each client takes, so that clients of different speeds answer in
/// groups. Times are in s. It knows no messages: the server says when an answer came, and does what it returns.
namespace lagnet {

struct CompassRules {
  std::int64_t Q1 = 1, Q2 = 1;  // steps, at least and at most
  double latest_factor = 1.2;
  double momentum = 0.9;  // of the newest time of a step in the estimate
};

class CompassSchedule {
 public:
  /// A group is numbered in order of creation, from 0.
  using Group = std::int64_t;
  enum class Next {
    alone,   // the answer makes an aggregation of its own; then assign()
    wait,    // it waits for its group
    close,   // it was the last of its group: close()
    buffer,  // it came too late for its group: it waits for the next aggregation; assign() at once
  };

  CompassSchedule(const CompassRules& rules, AgentId agents);

  /// The first job of a client, of Q2 steps and without a group.
  void start(AgentId k, double now);
  /// An answer of k; `group` is then that of close().
  Next arrived(AgentId k, double now, Group& group);
  /// The next group whose time is over, and when that is.
  struct Expiry {
    Group group;
    double at;
  };
  std::optional<Expiry> next_expiry() const;
  /// Ends a group's wait: those that have arrived, the fastest first. They then are in no group.
  std::vector<AgentId> close(Group group);
  /// The steps of the next job of k, which begins now.
  std::int64_t assign(AgentId k, double now);
  /// The group of a client; -1: none.
  Group group_of(AgentId k) const { return clients_[k].group; }

 private:
  struct Client {
    double began = 0, step_s = 0;  // step_s: 0 as long as it is not known
    std::int64_t steps = 0;
    Group group = -1;
  };
  struct Members {
    Group number = 0;
    double expected = 0, latest = 0;
    std::vector<AgentId> under_way, arrived;
  };
  using Groups = std::list<Members>;

  Groups::iterator find(Group group);
  void join(AgentId k, Members& group, std::int64_t steps, double now);
  std::int64_t found(AgentId k, std::int64_t steps, double now);

  CompassRules rules_;
  std::vector<Client> clients_;  // by agent
  Groups groups_;                // in order of creation
  Group created_ = 0;
};

}  // namespace lagnet
