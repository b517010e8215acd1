#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/compare/measures.hpp"
#include "scenarios/format/kinds/claim_kinds.hpp"

/// The claims of a scenario: statements over recorded numbers, evaluated on one draw. claim_verdict.hpp has the verdict
/// over draws.
namespace lagnet {

/// The result of a claim.
struct Finding {
  bool holds = false;
  std::string measured;  // the numbers behind it, in words
  std::string tolerance = "none";
  /// The deciding number and its kind: "ratio" 1.7, "least step" 0.31, which is a share of the number before.
  double deciding = std::numeric_limits<double>::quiet_NaN();
  std::string_view called = "number";
  bool is_share = false;
  /// The distance of the number from its limit on the right side, as a share of the limit; below 0 on the wrong side.
  double slack = 0;
  /// How many times the number is within its bound: bound / number, or number / lower bound; nan where there is none.
  double times_within = std::numeric_limits<double>::quiet_NaN();
};

struct Evidence {
  std::vector<const RecordedRun*> runs;  // those that match where
  MeasureOptions measure;
  const std::vector<const RecordedRun*>& all;  // the whole sweep's
};

/// "2.5 %"; "none" for 0.
std::string shown_tolerance(double share);

/// Evaluates a claim over the runs of one sweep, all of them together. Throws OutputError for one that cannot be
/// evaluated: no run matches, or a column is not there.
Finding evaluate(const Choice<ClaimFamily>& claim, const std::vector<const RecordedRun*>& runs);

}  // namespace lagnet
