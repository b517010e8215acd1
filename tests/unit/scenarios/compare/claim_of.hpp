#pragma once

#include <vector>

#include "scenarios/compare/claims.hpp"

namespace lagnet::test {

/// A claim on all of these runs together, under a statement of its own.
inline Finding evaluate(Json claim, const std::vector<RecordedRun>& runs) {
  claim["statement"] = "it is so";
  if (!claim.contains("metric")) claim["metric"] = "error";
  Diagnostics problems("claim");
  Choice<ClaimFamily> choice;
  choice.read(claim, "", problems);
  problems.throw_if_any();
  std::vector<const RecordedRun*> all;
  for (const RecordedRun& run : runs) all.push_back(&run);
  return lagnet::evaluate(choice, all);
}

}  // namespace lagnet::test
