#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/peers/bases/alike_agents.hpp"

/// The base of methods that average vectors x_i^0, of which agent i has found one alone: the minimizer of the objective
/// on its own samples, computed before the run and not billed. With one feature that is 1 for all samples and the
/// squared loss, x_i^0 is the mean of agent i's labels.
namespace lagnet {

class AveragedStarts : public AlikeAgents {
 public:
  /// One part: x_i (d).
  std::vector<Vector> first_report(AgentId agent) const override;
  /// The mean of the x_i; no metrics.
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  /// Five vectors an agent.
  std::optional<Bytes> memory() const override;

 protected:
  /// Throws Diagnosed where an agent's own samples leave no minimizer to be found.
  explicit AveragedStarts(MethodInput input);

  std::string_view without_neighbors() const override {
    return "the mean over all agents is no longer kept, so the limit is another one";
  }
  Index d() const { return given().problem.dim(); }
  const Vector& start(AgentId i) const { return start_[i]; }  // x_i^0 (d); of runs with numbers

 private:
  std::vector<Vector> start_;  // by agent (d)
};

}  // namespace lagnet
