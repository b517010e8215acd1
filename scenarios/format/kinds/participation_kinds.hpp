#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/interface/selection.hpp"
#include "scenarios/json/choice.hpp"
#include "sim/base/options.hpp"
#include "sim/world/missing.hpp"
#include "sim/world/participation.hpp"

/// The kinds of two choices: which clients a server asks, and what an exchange between neighbors does without a
/// message.
namespace lagnet {

struct FullOptions : NoOptions {
  static constexpr std::string_view kind = "full";
  static constexpr std::string_view summary = "every client in every round";
};

constexpr auto spellings(WholeClients) {
  return std::array{Spelling{WholeClients::up, "up"}, Spelling{WholeClients::nearest, "nearest"}};
}

struct RandomSubsetOptions {
  static constexpr std::string_view kind = "random_subset";
  static constexpr std::string_view summary = "a fixed number of clients, drawn in every round without replacement";
  std::optional<std::int64_t> size;
  std::optional<double> fraction;
  WholeClients rounding = WholeClients::up;
  static void fields(auto& self, auto& field) {
    field("size", self.size, "number of clients, at most as many as there are", at_least(1));
    field("fraction", self.fraction, "fraction of the clients, rounded to a whole number", above_to(0, 1));
    field("rounding", self.rounding, "of the fraction: up; nearest: max(1, floor(fraction x clients + 1/2))");
  }
  void check(auto& report) const {
    if (size && fraction) report("fraction", "exactly one of size and fraction", *fraction);
    if (!size && !fraction) report("", "exactly one of size and fraction", "neither");
    if (!fraction && rounding != WholeClients::up) report("rounding", "up without a fraction", "nearest");
  }
};

struct IndependentOptions {
  static constexpr std::string_view kind = "independent";
  static constexpr std::string_view summary = "each client with a probability, independently of the others";
  double probability = 1;
  bool nobody_allowed = false;
  static void fields(auto& self, auto& field) {
    field("probability", self.probability,
          "probability of each client in each round; if no client is drawn, the one with the smallest draw takes part",
          above_to(0, 1).required());
    field("nobody_allowed", self.nobody_allowed,
          "true: in that case no client takes part, and the round changes nothing");
  }
};

constexpr auto spellings(ClientSets) {
  return std::array{Spelling{ClientSets::dealt, "dealt"}, Spelling{ClientSets::contiguous, "contiguous"}};
}

struct CyclicOptions {
  static constexpr std::string_view kind = "cyclic";
  static constexpr std::string_view summary = "sets of clients in turn";
  std::int64_t groups = 1;
  ClientSets sets = ClientSets::dealt;
  static void fields(auto& self, auto& field) {
    field("groups", self.groups, "number of sets", at_least(1).required());
    field("sets", self.sets,
          "dealt: the i-th client belongs to set i mod groups; contiguous: the first clients form the first set, and "
          "so on; at least two sets of equal size");
  }
  void check(auto& report) const {
    if (sets == ClientSets::contiguous && groups < 2) report("groups", "at least 2 contiguous sets", groups);
  }
};

struct ListedOptions {
  static constexpr std::string_view kind = "listed";
  static constexpr std::string_view summary = "listed round by round";
  std::vector<std::vector<std::int64_t>> rounds;
  static void fields(auto& self, auto& field) {
    field("rounds", self.rounds, "a list of agents for each round; after the last list the first one again",
          at_least(0).required());
  }
  void check(auto& report) const {
    if (rounds.empty()) report("rounds", "the list of at least one round", rounds);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      std::vector<std::int64_t> sorted = rounds[i];
      std::ranges::sort(sorted);
      if (sorted.empty() || std::ranges::adjacent_find(sorted) != sorted.end())
        report("rounds/" + std::to_string(i), "one agent or more, each once", rounds[i]);
    }
  }
};

struct ClientsFamily {
  static constexpr std::string_view key = "kind", called = "choice of clients", default_kind = "full";
  static const Catalogue<std::shared_ptr<const Participation>, std::uint64_t>& catalogue();  // from the seed
};

struct WaitOptions : NoOptions {
  static constexpr std::string_view kind = "wait";
  static constexpr std::string_view summary =
      "an agent waits; if the message never arrives, the run ends in a deadlock";
};

/// 9e12 ms is about the longest time in whole nanoseconds.
constexpr Limits deadline_limits() { return above_to(0, 9e12); }

void declare_waiting(auto& self, auto& field) {
  field("deadline_ms", self.deadline_ms, "how long an agent waits, in ms", deadline_limits().required());
}

struct ReuseLastOptions {
  static constexpr std::string_view kind = "reuse_last";
  static constexpr std::string_view summary =
      "after the deadline an agent uses that neighbor's last value, and its age counts as staleness";
  double deadline_ms = 0;
  static void fields(auto& self, auto& field) { declare_waiting(self, field); }
};

struct SkipOptions {
  static constexpr std::string_view kind = "skip";
  static constexpr std::string_view summary = "after the deadline, the sum contains only the values that arrived";
  double deadline_ms = 0;
  static void fields(auto& self, auto& field) { declare_waiting(self, field); }
};

struct MissingNeighborFamily {
  static constexpr std::string_view key = "kind", called = "missing neighbor", default_kind = "wait";
  static const Catalogue<MissingNeighbor>& catalogue();
};

}  // namespace lagnet
