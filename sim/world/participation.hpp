#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.hpp"
#include "sim/base/types.hpp"

/// Says which clients a server asks in a round, as a function of (seed, round): they are the same for every algorithm
/// and any order of the queries. Rounds count from 1. Fractions rounded to the nearest number, contiguous sets and
/// rounds without anybody are as in T. Overman, G. Blum, D. Klabjan, "A primal-dual algorithm for hybrid federated
/// learning", arXiv:2210.08106v3, sections 4 and 7.
namespace lagnet {

/// Whom a server asks in a round, and when it closes the round.
struct Cohort {
  /// All members have to answer.
  explicit Cohort(std::vector<AgentId> asked = {}) : members(std::move(asked)), enough(members.size()) {}
  std::vector<AgentId> members;   // asked, ascending
  std::size_t enough = 0;         // answers after which the round may be closed; at most the members
  Time deadline = Time::never();  // when it is closed anyway
};

/// When a round is closed before all have answered. With over-selection, `enough` is below the number of clients asked:
/// "ask 120, take the first 100".
struct RoundRule {
  std::optional<Duration> deadline;   // from the moment of asking; none if empty
  std::optional<std::size_t> enough;  // answers; all if empty, or if fewer are asked

  Cohort cohort(std::vector<AgentId> asked, Time now) const;
};

class Participation {
 public:
  virtual ~Participation() = default;
  /// The clients asked in a round, from 1 on: a subset of the candidates, both ascending and without repetition. It is
  /// not empty if there is a candidate, unless a kind says otherwise.
  virtual std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const = 0;
  /// How many of that many candidates each round asks; nothing where that is not one number.
  virtual std::optional<std::size_t> asked_each_round(std::size_t) const { return std::nullopt; }
  /// The most that are asked in a round, of so many candidates.
  virtual std::size_t most(std::size_t candidates) const { return asked_each_round(candidates).value_or(candidates); }
  /// The problems of this choice with these candidates, each at its place below the choice of clients.
  virtual std::vector<Diagnostic> diagnostics(std::span<const AgentId>) const { return {}; }
};

/// Asks all clients in every round.
class FullParticipation final : public Participation {
 public:
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;
  std::optional<std::size_t> asked_each_round(std::size_t candidates) const override { return candidates; }
};

/// How a fraction of clients becomes a whole number: ceil(x), or max(1, floor(x + 1/2)).
enum class WholeClients { up, nearest };

/// A uniformly drawn subset of a fixed size, without replacement: the front of a Fisher-Yates shuffle on Draws(seed,
/// "cohort", 0, round). So a smaller subset is contained in a larger one of the same round.
class RandomSubset final : public Participation {
 public:
  /// A subset of `size` clients, or all if there are fewer. Throws std::invalid_argument for 0.
  static RandomSubset of_size(std::uint64_t seed, std::size_t size);
  /// A subset of fraction * candidates clients, rounded. Throws std::invalid_argument unless 0 < fraction <= 1.
  static RandomSubset of_fraction(std::uint64_t seed, double fraction, WholeClients rounding = WholeClients::up);
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;
  std::optional<std::size_t> asked_each_round(std::size_t candidates) const override;
  std::vector<Diagnostic> diagnostics(std::span<const AgentId> candidates) const override;

 private:
  RandomSubset(std::uint64_t seed, std::size_t size, double fraction, WholeClients rounding)
      : seed_(seed), size_(size), fraction_(fraction), rounding_(rounding) {}
  std::uint64_t seed_;
  std::size_t size_;  // 0: by the fraction
  double fraction_;
  WholeClients rounding_;
};

/// Asks each client with a probability, by the draw Draws(seed, "takes_part", agent, round), which does not depend on
/// the other candidates. If no client is drawn, the client with the smallest draw takes part, unless an empty round is
/// allowed; this makes the mean number of participants p n + (1 - p)^n instead of p n.
class IndependentParticipation final : public Participation {
 public:
  /// Throws std::invalid_argument unless 0 < probability <= 1.
  IndependentParticipation(std::uint64_t seed, double probability, bool nobody_allowed = false);
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;

 private:
  std::uint64_t seed_;
  double probability_;
  bool nobody_allowed_;
};

/// Which candidates form a set. Dealt: the i-th belongs to set i mod groups. Contiguous: the first ones form set 0, the
/// next ones set 1, and so on, at least two sets of equal size.
enum class ClientSets { dealt, contiguous };

/// Asks sets of clients in turn: set (r - 1) mod groups in round r. With more groups than candidates, some rounds ask
/// no client.
class CyclicParticipation final : public Participation {
 public:
  /// Throws std::invalid_argument for 0 groups, or 1 contiguous one.
  explicit CyclicParticipation(std::size_t groups, ClientSets sets = ClientSets::dealt);
  /// Contiguous sets must have equal sizes; diagnostics() reports it.
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;
  std::size_t most(std::size_t candidates) const override { return (candidates + groups_ - 1) / groups_; }
  /// More groups than candidates, or contiguous ones that do not divide them.
  std::vector<Diagnostic> diagnostics(std::span<const AgentId> candidates) const override;

 private:
  std::size_t groups_;
  ClientSets sets_;
};

/// Asks the clients that are listed for each round; after the last list the first one follows again.
class ListedParticipation final : public Participation {
 public:
  /// One list for each round, in any order within. Throws std::invalid_argument if there is no list, or one is empty
  /// or names an agent twice.
  explicit ListedParticipation(std::vector<std::vector<AgentId>> rounds);
  /// All listed agents must be candidates; diagnostics() reports it.
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;
  std::size_t most(std::size_t) const override {
    return std::ranges::max(rounds_, {}, [](const auto& one) { return one.size(); }).size();
  }
  /// Listed agents that are no candidates, with the place of their list, from 0.
  std::vector<Diagnostic> diagnostics(std::span<const AgentId> candidates) const override;

 private:
  using Members = std::vector<AgentId>;
  std::vector<Members> rounds_;  // each ascending
};

/// Leaves the choice to the server of a method, which may ask any client and knows more of them.
class ServersChoice final : public Participation {
 public:
  /// Numbers of clients that it needs, each with the key of its option; `most` are asked in a round.
  ServersChoice(std::size_t most, std::vector<std::pair<std::string, std::int64_t>> needs)
      : most_(most), needs_(std::move(needs)) {}
  /// All: the method does not ask.
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;
  std::size_t most(std::size_t candidates) const override { return std::min(most_, candidates); }
  /// Numbers above that of the candidates.
  std::vector<Diagnostic> diagnostics(std::span<const AgentId> candidates) const override;

 private:
  std::size_t most_;
  std::vector<std::pair<std::string, std::int64_t>> needs_;
};

}  // namespace lagnet
