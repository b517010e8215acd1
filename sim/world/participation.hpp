#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/types.hpp"

/// Whom a server asks in a round. All of it is a function of (seed, round): the same clients are asked whatever the
/// algorithm, and in whatever order rounds are looked at. Rounds count from 1.
/// Fractions rounded to the nearest number, contiguous sets and rounds without anybody are as in T. Overman, G. Blum,
/// D. Klabjan, "A primal-dual algorithm for hybrid federated learning", arXiv:2210.08106v3, sections 4 and 7.
namespace lagnet {

/// A round's question.
struct Cohort {
  /// All members have to answer.
  explicit Cohort(std::vector<AgentId> asked = {}) : members(std::move(asked)), enough(members.size()) {}
  std::vector<AgentId> members;   // asked, ascending
  std::size_t enough = 0;         // answers after which the round may be closed; at most the members
  Time deadline = Time::never();  // when it is closed anyway
};

/// When a round is closed before all have answered. Over-selection is a number that is enough below that of those
/// asked: "ask 120, take the first 100".
struct RoundRule {
  std::optional<Duration> deadline;   // from the moment of asking; none if empty
  std::optional<std::size_t> enough;  // answers; all if empty, or if fewer are asked

  Cohort cohort(std::vector<AgentId> asked, Time now) const;
};

class Participation {
 public:
  virtual ~Participation() = default;
  /// Those asked in a round from 1 on, ascending: a part of the candidates, which are ascending, each once. Somebody is
  /// asked if there is a candidate, except where a kind says otherwise.
  virtual std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const = 0;
  /// What keeps this from being used with these candidates, a sentence each: "place: expected ..., found ...".
  virtual std::vector<std::string> problems(std::span<const AgentId>) const { return {}; }
};

/// Everybody, always.
class FullParticipation final : public Participation {
 public:
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;
};

/// What is done to a number of clients that is not whole: ceil(x), or max(1, floor(x + 1/2)).
enum class WholeClients { up, nearest };

/// A uniformly drawn subset of a fixed size, without replacement: the front of a Fisher-Yates shuffle on
/// Draws(seed, "cohort", 0, round). So a smaller subset is a part of a larger one of the same round.
class RandomSubset final : public Participation {
 public:
  /// So many of them, at least 1; all if there are fewer. Throws std::invalid_argument for 0.
  static RandomSubset of_size(std::uint64_t seed, std::size_t size);
  /// fraction * candidates of them, made whole. Throws std::invalid_argument unless 0 < fraction <= 1.
  static RandomSubset of_fraction(std::uint64_t seed, double fraction, WholeClients rounding = WholeClients::up);
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;
  std::vector<std::string> problems(std::span<const AgentId> candidates) const override;

 private:
  RandomSubset(std::uint64_t seed, std::size_t size, double fraction, WholeClients rounding)
      : seed_(seed), size_(size), fraction_(fraction), rounding_(rounding) {}
  std::uint64_t seed_;
  std::size_t size_;  // 0: by the fraction
  double fraction_;
  WholeClients rounding_;
};

/// Each with a probability of its own draw, Draws(seed, "takes_part", agent, round), which does not depend on who else
/// is a candidate. If that leaves nobody, the one with the smallest draw takes part, which makes the mean number of
/// participants p n + (1 - p)^n instead of p n, unless nobody is allowed.
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

/// Which candidates are a set. Dealt: the i-th belongs to set i mod groups. Contiguous: the first ones are set 0, the
/// next ones set 1, and so on, two sets or more of one size.
enum class ClientSets { dealt, contiguous };

/// Sets in turn: round r asks set (r - 1) mod groups. With more groups than candidates some rounds ask nobody.
class CyclicParticipation final : public Participation {
 public:
  /// Throws std::invalid_argument for 0 groups, or 1 contiguous one.
  explicit CyclicParticipation(std::size_t groups, ClientSets sets = ClientSets::dealt);
  /// Contiguous sets must have one size; problems() tells.
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;
  /// More groups than candidates, or contiguous ones that do not divide them.
  std::vector<std::string> problems(std::span<const AgentId> candidates) const override;

 private:
  std::size_t groups_;
  ClientSets sets_;
};

/// Written down round by round, and repeated from the first after the last.
class ListedParticipation final : public Participation {
 public:
  /// One list for each round, in any order within. Throws std::invalid_argument if there is no list, or one is empty
  /// or names an agent twice.
  explicit ListedParticipation(std::vector<std::vector<AgentId>> rounds);
  /// All listed agents must be candidates; problems() tells.
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;
  /// Listed agents that are no candidates, with the place of their list, from 0.
  std::vector<std::string> problems(std::span<const AgentId> candidates) const override;

 private:
  std::vector<std::vector<AgentId>> rounds_;  // each ascending
};

}  // namespace lagnet
