#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/compare/claims.hpp"

/// The verdict on a scenario's claims, over all draws: a claim is about the distribution of data, graphs and
/// participants, and one seed is one draw.
namespace lagnet {

/// A claim holds if it does in four draws out of five; it fails if it does in one of five or fewer. Between them the
/// draw decides, and neither a statement nor its opposite can be relied on.
inline constexpr double share_to_hold = 0.8, share_to_fail = 0.2;

enum class Outcomes { hold, fail, depend };

/// An interval, as a pair of ends.
struct Ends {
  double low = 0, high = 1;
};

struct DrawFinding {
  std::vector<std::uint64_t> seeds;  // one, or all where their numbers are taken together
  Finding finding;
};

/// A claim with its result in each draw.
struct Verdict {
  ClaimCommon claim;
  std::vector<DrawFinding> draws;  // one at least, in the order of their seeds

  std::size_t holding() const;
  Outcomes outcome() const;
  bool holds() const { return outcome() == Outcomes::hold; }
  bool fails() const { return !holds() && claim.known_to_fail.empty(); }
  /// Where the share of all possible draws in which it holds may lie: the exact interval of Clopper and Pearson (1934),
  /// with 95 % of confidence.
  Ends share_interval() const;
  /// The median of the numbers that decide, and the range they lie in. The median of the distribution lies in this
  /// range with the probability 1 - 2^(1 - n) for n draws: 94 % for five (H. A. David, H. N. Nagaraja, "Order
  /// Statistics", 2003, section 7.1).
  double median() const;
  Ends range() const;
  /// Finding::times_within in the median draw.
  double slack() const;
  /// "least step 34 % (31 % .. 40 %)"; of one draw the numbers themselves.
  std::string measured() const;
  /// "holds", "fails", or "depends on the draw".
  std::string word() const;
};

/// Throws OutputError for a claim that cannot be evaluated in one of the draws.
Verdict verdict_on(const Choice<ClaimFamily>& claim, const std::vector<const RecordedRun*>& runs);
/// Evaluates all claims; an error names its claim.
std::vector<Verdict> verdicts(const std::vector<Choice<ClaimFamily>>& claims, const std::vector<RecordedRun>& runs);

}  // namespace lagnet
