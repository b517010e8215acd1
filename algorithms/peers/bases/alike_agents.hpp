#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/interface/algorithm.hpp"

namespace lagnet {

/// Codes of remarks after which the method's limit need not be a minimizer: what more rounds would do is unknown.
inline constexpr std::string_view messages_missing_code = "messages_missing", states_lost_code = "states_lost";

/// Agents all alike: every one runs the same coroutine and reports.
class AlikeAgents : public Algorithm {
 public:
  void spawn(Host& host) const final {
    for (const AgentId i : reporters()) host.spawn(i, [this](Agent& me) { return run(me); });
  }
  std::vector<AgentId> reporters() const final { return all_agents(given_.network.agents); }
  /// Remarks: messages of neighbors were missing, or agents began again without their state.
  Remarks remarks(const RunCounts& counts) const override;

 protected:
  explicit AlikeAgents(MethodInput given) : given_(std::move(given)) {}

  virtual Task<> run(Agent& me) const = 0;
  /// The consequence of missing messages, or of an agent that restarts.
  virtual std::string_view without_neighbors() const {
    return "sums over all agents that the method keeps are no longer exact, so the limit need not be a minimizer of F";
  }
  /// Whether it makes no difference in the end that an agent begins again from its start.
  virtual bool forgets_starts() const { return false; }

  const MethodInput& given() const { return given_; }

 private:
  MethodInput given_;
};

/// The mean over agents i of the first part theta_i of their reports.
Vector mean_of(RoundReport report);
/// (1/m) sum_i |theta_i - from|^2.
double mean_square_distance(RoundReport report, const Vector& from);
/// Its root: of the mean of the theta_i, the consensus_error of all methods.
double root_mean_square_distance(RoundReport report, const Vector& from);

/// The base of methods that average vectors x_i^0, of which agent i has found one alone: the minimizer of the objective
/// on its own samples, computed before the run and not billed. With one feature that is 1 for all samples and the
/// squared loss, x_i^0 is the mean of agent i's labels.

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
