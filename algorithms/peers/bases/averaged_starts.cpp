#include "algorithms/peers/bases/averaged_starts.hpp"

#include <utility>

#include "algorithms/local/own_minimizers.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

AveragedStarts::AveragedStarts(MethodInput input) : AlikeAgents(std::move(input)) {
  const std::size_t m = reporters().size();
  const std::vector<Index>& starts = given().sample_starts;
  LAGNET_CHECK(starts.size() == m + 1, "{} starts of samples for {} agents", starts.size(), m);
  if (given().timing_only) return;
  LAGNET_CHECK(given().network.gossip.size() == m, "{} rows of W for {} agents", given().network.gossip.size(), m);
  start_ = own_minimizers(given().problem, starts);
}

std::vector<Vector> AveragedStarts::first_report(AgentId agent) const {
  return {given().timing_only ? Vector() : start_[agent]};
}

Evaluation AveragedStarts::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector mean = mean_of(report);
  return {.iterate = mean, .objective = given().problem.objective(mean), .metrics = {}};
}

std::optional<Bytes> AveragedStarts::memory() const { return Bytes{sizeof(double)} * 5 * given().network.agents * d(); }

}  // namespace lagnet
