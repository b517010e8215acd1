#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/array.hpp"
#include "sim/base/options.hpp"
#include "sim/base/remark.hpp"
#include "sim/base/types.hpp"

/// Clients that attack. They do honest work, and so cost what honest ones do; when the server closes a round, its
/// copies of their answers are replaced. H are the honest answers of the round, which alie and ipm know without delay.
/// Sources: alie: Baruch, Baruch, Goldberg, "A little is enough", NeurIPS 2019; ipm: Xie, Koyejo, Gupta, "Fall of
/// empires: breaking Byzantine-tolerant SGD by inner product manipulation", UAI 2020.
namespace lagnet {

/// Who attacks so.
struct AttackingAgents {
  std::vector<std::int64_t> agents = {};
  std::optional<double> fraction = {};
  void check(auto& report) const {
    if (agents.empty() && !fraction) report("", "one of agents and fraction", "neither");
    if (!agents.empty() && fraction) report("fraction", "one of agents and fraction", *fraction);
  }
};
void declare_attacking_agents(auto& self, auto& field) {
  field("agents", self.agents, "the attackers: [7, 9]", at_least(0));
  field("fraction", self.fraction,
        "in their place: this share of all clients, rounded to a whole number and drawn once among those that no other "
        "entry names",
        above_to(0, 1));
}

struct SignFlipAttack : AttackingAgents {
  static constexpr std::string_view kind = "sign_flip";
  static constexpr std::string_view summary = "its own answer times -scale";
  double scale = 1;
  static void fields(auto& self, auto& field) {
    field("scale", self.scale, "factor beside the sign", above(0));
    declare_attacking_agents(self, field);
  }
};

struct ConstantAttack : AttackingAgents {
  static constexpr std::string_view kind = "constant";
  static constexpr std::string_view summary = "one number in every entry";
  double value = 0;
  static void fields(auto& self, auto& field) {
    field("value", self.value, "that number", any_value().required());
    declare_attacking_agents(self, field);
  }
};

struct LabelFlipAttack : AttackingAgents {
  static constexpr std::string_view kind = "label_flip";
  static constexpr std::string_view summary = "an honest answer on false labels: -y, or the classes from behind";
  static void fields(auto& self, auto& field) { declare_attacking_agents(self, field); }
};

struct AlieAttack : AttackingAgents {
  static constexpr std::string_view kind = "alie";
  static constexpr std::string_view summary =
      "a little is enough: mean - z times the standard deviation of the honest answers, by entry (Baruch et al. 2019)";
  std::optional<double> z = {};
  static void fields(auto& self, auto& field) {
    field("z", self.z,
          "null: the normal quantile of (n - b - s) / (n - b), s = floor(n/2) + 1 - b, n answers, b of such attackers");
    declare_attacking_agents(self, field);
  }
};

struct IpmAttack : AttackingAgents {
  static constexpr std::string_view kind = "ipm";
  static constexpr std::string_view summary =
      "inner product manipulation: -epsilon times the mean of the honest answers (Xie et al. 2020)";
  double epsilon = 0.5;
  static void fields(auto& self, auto& field) {
    field("epsilon", self.epsilon, "that factor", above(0));
    declare_attacking_agents(self, field);
  }
};

struct LateAttack : AttackingAgents {
  static constexpr std::string_view kind = "late";
  static constexpr std::string_view summary = "an honest answer that arrives just before the round's deadline";
  double margin_ms = 0.001;
  static void fields(auto& self, auto& field) {
    field("margin_ms", self.margin_ms, "how long before the deadline it arrives, in ms, or later if it takes longer",
          at_least(0));
    declare_attacking_agents(self, field);
  }
};

// One line an attack, which clang-format would fill up.
// clang-format off
/// An entry of the section "attackers" of a scenario.
struct AttackOptions : OneOf<SignFlipAttack,
                             ConstantAttack,
                             LabelFlipAttack,
                             AlieAttack,
                             IpmAttack,
                             LateAttack> {
  static constexpr std::string_view called = "attack";
  using OneOf::OneOf;
};
// clang-format on

/// z of alie for b of n answers; of too few answers for a quantile that of the next share that has one.
double alie_z(Index n, Index b);

class Attackers {
 public:
  Attackers() = default;
  /// Agents below `agents`, of which 0 is a server. Throws Diagnosed, below the section, for the server, an agent that
  /// does not exist or is named twice, and clients that all attack.
  Attackers(std::vector<AttackOptions> attacks, Index agents, std::uint64_t seed);

  bool any() const { return !attacks_.empty(); }
  bool is_honest(AgentId agent) const { return agent >= attack_of_.size() || attack_of_[agent] < 0; }
  /// Replaces what attackers among these sent: a vector each  (d x n)
  void replace(std::span<const AgentId> senders, Matrix& v) const;
  /// The labels that clients hold: those of attackers that flip them are changed in y (n), which is empty without
  /// numbers; `starts` are the agents' first samples, and their end. Throws Diagnosed for labels that have no opposite.
  Vector labels_held(const Loss& loss, const Vector& y, std::span<const Index> starts) const;
  /// Those whose answers are late, and by how much before the deadline, in ms.
  std::vector<std::pair<AgentId, double>> late() const;
  /// What a user should know before the run.
  Remarks warnings(Index clients) const;

 private:
  const AttackOptions* attack_of(AgentId agent) const {
    return is_honest(agent) ? nullptr : &attacks_[static_cast<std::size_t>(attack_of_[agent])];
  }

  std::vector<AttackOptions> attacks_;
  std::vector<int> attack_of_;  // by agent: which of them; -1: honest
};

}  // namespace lagnet
