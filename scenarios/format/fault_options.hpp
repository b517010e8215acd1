#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/format/kinds/availability_kinds.hpp"
#include "scenarios/format/kinds/name_or_number.hpp"
#include "scenarios/json/fields.hpp"
#include "sim/world/window.hpp"

/// The options for losses, copies, outages and retransmission; the rules themselves are in sim/world/faults.hpp.
namespace lagnet {

struct BurstLossOptions {
  double enter = 0, leave = 1, loss_when_good = 0, loss_when_bad = 1;
  static void fields(auto& self, auto& field) {
    field("enter", self.enter, "probability that a good link becomes bad in a round: 0.05", within(0, 1).required());
    field("leave", self.leave,
          "probability that a bad link becomes good in a round; 0.25: bursts of 4 rounds on average",
          within(0, 1).required());
    field("loss_when_good", self.loss_when_good, "probability that a message is lost on a good link", within(0, 1));
    field("loss_when_bad", self.loss_when_bad, "probability that a message is lost on a bad link", within(0, 1));
  }
};

struct ReorderingOptions {
  double probability = 0, delay_ms = 0;
  static void fields(auto& self, auto& field) {
    field("probability", self.probability, "probability that a message is held back: 0.01", within(0, 1).required());
    field("delay_ms", self.delay_ms, "how long it is held back, in ms, so that later messages overtake it: 50",
          within(0, 1e9).required());
  }
};

struct RetransmitOptions {
  double timeout_ms = 200;
  double max_timeout_ms = 60'000;
  std::int64_t retries = 40;
  static void fields(auto& self, auto& field) {
    field("timeout_ms", self.timeout_ms,
          "time after which a message that has not arrived is sent again, in ms; it doubles with each attempt, and "
          "each attempt is billed",
          above_to(0, 1e9));
    field("max_timeout_ms", self.max_timeout_ms, "limit of the doubled timeout, in ms; at least 60 s by RFC 6298",
          above_to(0, 1e9));
    field("retries", self.retries, "number of retransmissions after which a message is lost for good", within(1, 200));
  }
};

void declare_window(auto& self, auto& field) {
  field("from_s", self.from_s, "beginning, in s of simulated time", within(0, longest_s).required());
  field("until_s", self.until_s, "end, in s; null: never", within(0, longest_s));
}
void check_window(const auto& options, auto& report) {
  if (options.until_s && *options.until_s <= options.from_s) report("until_s", "a time after from_s", *options.until_s);
}

Window window_of(const auto& options) {
  const Time from = Time() + Duration::seconds(options.from_s);
  return {from, options.until_s ? Time() + Duration::seconds(*options.until_s) : Time::never()};
}

struct PartitionWindowOptions {
  double from_s = 0;
  std::optional<double> until_s;
  std::vector<std::vector<NameOrNumber>> groups;
  static void fields(auto& self, auto& field) {
    declare_window(self, field);
    field("groups", self.groups,
          "groups of agents that can reach each other, and no others: [[0, 1], [2]]; all agents not listed form one "
          "more group",
          any_value().required());
  }
  void check(auto& report) const {
    check_window(*this, report);
    if (groups.empty()) report("groups", "one group or more", "none");
    for (std::size_t i = 0; i < groups.size(); ++i)
      if (groups[i].empty()) report("groups/" + std::to_string(i), "one agent or more", "none");
  }
};

/// Reports links that are not given by their two ends.
void check_pairs(const std::vector<std::vector<NameOrNumber>>& links, auto& report) {
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].size() != 2) report("links/" + std::to_string(i), "two agents", links[i]);
}

struct OutageOptions {
  double from_s = 0;
  std::optional<double> until_s;
  std::vector<std::vector<NameOrNumber>> links;
  std::vector<std::string> inner_links;
  bool both_ways = true;
  static void fields(auto& self, auto& field) {
    declare_window(self, field);
    field("links", self.links, "the links that are off, each by its two agents: [[0, 1], [3, 2]]");
    field("inner_links", self.inner_links,
          "links of network.underlay that are off, in both directions, each by its name, or its nodes if it has none; "
          "they lose a message whose first or last bit leaves them then: [\"wan\", \"left-right\"]");
    field("both_ways", self.both_ways,
          "false: only the direction from the first agent to the second; a one-way link has no other");
  }
  void check(auto& report) const {
    check_window(*this, report);
    check_pairs(links, report);
    if (links.empty() && inner_links.empty()) report("links", "one link or more, or inner_links", "none");
  }
};

}  // namespace lagnet
