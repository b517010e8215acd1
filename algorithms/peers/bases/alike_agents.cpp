#include "algorithms/peers/bases/alike_agents.hpp"

#include <fmt/format.h>

#include <cmath>

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

}  // namespace lagnet
