#include "algorithms/peers/bases/alike_agents.hpp"

namespace lagnet {

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

}  // namespace lagnet
