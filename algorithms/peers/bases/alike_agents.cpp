#include "algorithms/peers/bases/alike_agents.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "algorithms/local/local_fits.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

Remarks AlikeAgents::remarks(const RunCounts& counts) const {
  Remarks all;
  if (counts.missing > 0 && !forgets_starts())
    all.push_back({std::string(messages_missing_code),
                   {{"messages", counts.missing}},
                   fmt::format("{} message{} of neighbors {} missing: {}; with network.retransmit, and "
                               "participation.missing_neighbor wait, none is",
                               counts.missing, counts.missing == 1 ? "" : "s", counts.missing == 1 ? "was" : "were",
                               without_neighbors())});
  if (counts.restarts > 0 && !forgets_starts())
    all.push_back(
        {std::string(states_lost_code),
         {{"crashes", counts.restarts}},
         fmt::format("crashes took an agent's state {} time{}, and it began again from its start: {}; crashes "
                     "with \"state\": \"kept\" leave it",
                     counts.restarts, counts.restarts == 1 ? "" : "s", without_neighbors())});
  return all;
}

Vector mean_of(RoundReport report) {
  Vector mean = Vector::Zero(report[0][0].size());
  for (const auto& parts : report) mean += parts[0];
  mean /= static_cast<double>(report.size());
  return mean;
}

double mean_square_distance(RoundReport report, const Vector& from) {
  double sum = 0;
  for (const auto& parts : report) sum += (parts[0] - from).squaredNorm();
  return sum / static_cast<double>(report.size());
}

double root_mean_square_distance(RoundReport report, const Vector& from) {
  return std::sqrt(mean_square_distance(report, from));
}

AveragedStarts::AveragedStarts(MethodInput input) : AlikeAgents(std::move(input)) {
  const std::size_t m = reporters().size();
  const std::vector<Index>& starts = given().sample_starts;
  LAGNET_CHECK(starts.size() == m + 1, "{} starts of samples for {} agents", starts.size(), m);
  if (given().timing_only) return;
  LAGNET_CHECK(given().network.round_weights || given().network.gossip.size() == m, "{} rows of W for {} agents",
               given().network.gossip.size(), m);
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
