#include "scenarios/run/round_reports.hpp"

namespace lagnet {

void RoundReports::clear() {
  shapes_.clear();
  numbers_.clear();
}

void RoundReports::copy_to(std::vector<std::vector<Vector>>& parts) const {
  const double* next = numbers_.data();
  for (auto shape = shapes_.begin(); shape != shapes_.end();) {
    auto& of_agent = parts[static_cast<std::size_t>(*shape++)];
    of_agent.resize(static_cast<std::size_t>(*shape++));
    for (Vector& part : of_agent) {
      part = VectorView(next, *shape++);
      next += part.size();
    }
  }
}

}  // namespace lagnet
