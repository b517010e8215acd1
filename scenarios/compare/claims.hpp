#pragma once

#include <string>
#include <vector>

#include "scenarios/compare/measures.hpp"
#include "scenarios/format/kinds/claim_kinds.hpp"

/// What a scenario expects of its sweep: statements over recorded numbers, with a verdict each. `lagnet check`
/// evaluates them, and papers' statements in scenarios/papers are written so.
namespace lagnet {

/// The verdict on a claim.
struct Finding {
  bool holds = false;
  std::string measured;  // the numbers behind the verdict, in words
  std::string tolerance = "none";
};

struct Evidence {
  std::vector<const RecordedRun*> runs;  // those that match where
  MeasureOptions measure;
  const std::vector<const RecordedRun*>& all;  // the whole sweep's
};

/// A claim with its verdict.
struct Verdict {
  std::string statement, source;
  std::string known_to_fail;  // why; empty if it should hold
  Finding finding;
  bool fails() const { return !finding.holds && known_to_fail.empty(); }
};

/// Evaluates a claim over the runs of one sweep. Throws OutputError for one that cannot be evaluated: no run matches,
/// or a column is not there.
Verdict verdict_on(const Choice<ClaimFamily>& claim, const std::vector<const RecordedRun*>& runs);
/// Evaluates all claims; an error names its claim.
std::vector<Verdict> verdicts(const std::vector<Choice<ClaimFamily>>& claims, const std::vector<RecordedRun>& runs);

}  // namespace lagnet
