#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/interface/algorithm.hpp"

/// Agents all alike: every one runs the same coroutine and reports.
namespace lagnet {

/// Codes of remarks after which the method's limit need not be a minimizer: nobody knows what more rounds would do.
inline constexpr std::string_view messages_missing_code = "messages_missing", states_lost_code = "states_lost";

class AlikeAgents : public Algorithm {
 public:
  void spawn(Host& host) const final {
    for (const AgentId i : reporters()) host.spawn(i, [this](Agent& me) { return run(me); });
  }
  std::vector<AgentId> reporters() const final { return all_agents(given_.network.agents); }
  /// That messages of neighbors were missing, and that agents began again without their state.
  Remarks remarks(const RunCounts& counts) const override;

 protected:
  explicit AlikeAgents(MethodInput given) : given_(std::move(given)) {}

  virtual Task<> run(Agent& me) const = 0;
  /// What follows where messages are missing, or an agent begins again from its start.
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

}  // namespace lagnet
