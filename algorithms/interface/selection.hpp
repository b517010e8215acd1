#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/array.hpp"
#include "sim/base/options.hpp"
#include "sim/base/types.hpp"

/// Choices of clients that depend on what these have answered so far, so that the server makes them itself. Sources:
/// power of choice: Cho, Wang, Joshi, "Client selection in federated learning: convergence analysis and power-of-choice
/// selection strategies", 2020; Oort: Lai, Zhu, Madhyastha, Chowdhury, "Oort: efficient federated learning via guided
/// participant selection", OSDI 2021, without its pacer and blacklist; tiers: Chai et al., "TiFL: a tier-based
/// federated learning system", HPDC 2020, without adaptive credits.
namespace lagnet {

struct PowerOfChoiceOptions {
  static constexpr std::string_view kind = "power_of_choice";
  static constexpr std::string_view summary =
      "of some clients, drawn by their weights, those whose loss is largest (Cho et al. 2020)";
  std::int64_t candidates = 1, size = 1;
  std::optional<std::int64_t> loss_samples = {};
  bool stale = false;
  std::optional<double> candidate_deadline_ms = {};
  static void fields(auto& self, auto& field) {
    field("candidates", self.candidates, "clients that are drawn without replacement, with chances as their weights",
          at_least(1).required());
    field("size", self.size, "clients that are asked to train: of the candidates those of largest loss",
          at_least(1).required());
    field("loss_samples", self.loss_samples, "samples that a candidate computes its loss on, drawn; null: all",
          at_least(1));
    field("stale", self.stale,
          "true: candidates are not asked; the loss is the one that a client sent with its last answer, infinity "
          "before");
    field(
        "candidate_deadline_ms", self.candidate_deadline_ms,
        "how long the server waits for the losses of candidates, in ms; those without a loss are not chosen; null: for "
        "all of them",
        above_to(0, 9e12));
  }
  void check(auto& report) const {
    if (size > candidates) report("size", "at most candidates, " + std::to_string(candidates), size);
    if (stale && loss_samples)
      report("loss_samples", "null with stale losses, which are those of all samples", *loss_samples);
    if (stale && candidate_deadline_ms)
      report("candidate_deadline_ms", "null with stale losses, which nobody is asked for", *candidate_deadline_ms);
  }
};

struct OortOptions {
  static constexpr std::string_view kind = "oort";
  static constexpr std::string_view summary =
      "clients whose losses are large and who answer soon, and some that are new (Lai et al. 2021, simplified)";
  std::int64_t size = 1;
  double percentile = 30, penalty = 2, clip = 0.95, explore = 0.9, decay = 0.98, least_explore = 0.2, cut = 0.95;
  static void fields(auto& self, auto& field) {
    field("size", self.size, "clients that are asked in a round", at_least(1).required());
    field("percentile", self.percentile, "of the times that answers took: what is longer counts less", within(0, 100));
    field("penalty", self.penalty, "exponent of (that time / the client's own)", at_least(0));
    field("clip", self.clip, "share of utilities above which they count alike", within(0, 1));
    field("explore", self.explore, "share of new clients in round 1", within(0, 1));
    field("decay", self.decay, "factor on this share from round to round", above_to(0, 1));
    field("least_explore", self.least_explore, "least share of new clients, while there are some", within(0, 1));
    field("cut", self.cut, "share of the last chosen score from which others are in the pool", above_to(0, 1));
  }
};

enum class TierPolicy { uniform };
constexpr auto spellings(TierPolicy) { return std::array{Spelling{TierPolicy::uniform, "uniform"}}; }

struct TiersOptions {
  static constexpr std::string_view kind = "tiers";
  static constexpr std::string_view summary =
      "in each round one of some tiers of clients that answer alike soon (TiFL)";
  std::int64_t tiers = 1, size = 1, profile_rounds = 1;
  std::variant<TierPolicy, std::vector<double>> policy = TierPolicy::uniform;
  static void fields(auto& self, auto& field) {
    field("tiers", self.tiers, "M, how many", at_least(1).required());
    field("size", self.size, "clients of the tier that are asked, drawn evenly", at_least(1).required());
    field("profile_rounds", self.profile_rounds, "first rounds, which ask all to see how soon they answer",
          at_least(1));
    field("policy", self.policy,
          "which tier a round asks: uniform, all with the same chance; or a list of their chances, the fastest first",
          at_least(0));
  }
  void check(auto& report) const {
    const auto* chances = std::get_if<std::vector<double>>(&policy);
    if (!chances) return;
    if (std::ssize(*chances) != tiers)
      report("policy", "a chance for each of " + std::to_string(tiers) + " tiers", *chances);
    else if (std::ranges::max(*chances) <= 0)
      report("policy", "a tier with a chance above 0", *chances);
  }
};

/// Nothing: the world's participation chooses.
using Selection = std::variant<std::monostate, PowerOfChoiceOptions, OortOptions, TiersOptions>;

/// The next number of a sequence, in (0, 1).
using Uniforms = std::function<double()>;

/// `picked` places without repetition, ascending, with chances in proportion to the weights, of which as many are above
/// 0 or all: one after the other, u times the weight that is left, places in ascending order.
std::vector<std::size_t> drawn_by_weight(std::vector<double> weights, std::size_t picked, const Uniforms& u);

/// What an Oort server knows of a client that has answered.
struct OortRecord {
  AgentId agent = 0;
  double utility = 0;     // U_k = n_k sqrt(mean of loss_i^2)
  double duration_s = 0;  // t_k, from request to answer
  Round last = 0;         // l_k, the round of the last answer
};
/// Clients of whom nothing is known, and their speeds.
struct Unexplored {
  std::vector<AgentId> agents;
  std::vector<double> speeds;
};
struct OortChoice {
  double preferred_s = 0;  // T
  std::vector<double> scores;
  double epsilon = 0;
  std::vector<AgentId> exploited, explored;  // ascending
};
/// Whom Oort asks in a round; all ascending by agent.
OortChoice oort_choice(const OortOptions& options, Round round, std::span<const OortRecord> known,
                       const Unexplored& unexplored, const Uniforms& u);

/// Clients by how long their answers take, the fastest first, ties the lower agent: M runs, the first (m mod M) with
/// one more; each ascending.
std::vector<std::vector<AgentId>> tiers_of(std::vector<std::pair<double, AgentId>> times, std::int64_t M);

}  // namespace lagnet
