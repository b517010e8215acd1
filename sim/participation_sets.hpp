#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/participation.hpp"
#include "sim/types.hpp"

/// Choices of clients as papers on hybrid federated learning describe them, where they differ from those of
/// participation.hpp in a detail: the rounding of a fraction, which clients are a set, and rounds without anybody.
/// Source: T. Overman, G. Blum, D. Klabjan, "A primal-dual algorithm for hybrid federated learning",
/// arXiv:2210.08106v3, sections 4 and 7.
namespace lagnet {

/// max(1, floor(fraction * candidates + 1/2)) of them, drawn as RandomSubset draws: of equal sizes the same ones.
class NearestShare final : public Participation {
 public:
  /// Throws std::invalid_argument unless 0 < fraction <= 1.
  NearestShare(std::uint64_t seed, double fraction);
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;

 private:
  std::uint64_t seed_;
  double fraction_;
};

/// C contiguous sets of one size in turn: of n candidates the first n / C are set 0, the next set 1, and so on; round r
/// asks set (r - 1) mod C.
class ContiguousSets final : public Participation {
 public:
  /// Throws std::invalid_argument for fewer than 2 sets.
  explicit ContiguousSets(std::size_t sets);
  /// The sets must divide the candidates; problems() tells.
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;
  /// Candidates that cannot be divided into sets of one size.
  std::vector<std::string> problems(std::span<const AgentId> candidates) const override;

 private:
  std::size_t sets_;
};

/// Each with a probability of its own draw, the one of IndependentParticipation; a round may be without anybody.
class PossiblyNobody final : public Participation {
 public:
  /// Throws std::invalid_argument unless 0 < probability <= 1.
  PossiblyNobody(std::uint64_t seed, double probability);
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override;

 private:
  std::uint64_t seed_;
  double probability_;
};

}  // namespace lagnet
