#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"
#include "algorithms/peers/bases/alike_agents.hpp"
#include "sim/base/options.hpp"

/// Averaging by pairs: at each tick of its clock an agent i asks a neighbor j, and both go to the mean of their
/// vectors.
///
///     x_i^0 = argmin over x of the objective on agent i's own samples
///
/// In a network messages take time, so that x_j is another one when the answer comes. `additive` keeps the sum of all
/// vectors whatever is late, lost, copied or overtaken: j adds delta = (x_i - x_j) / 2 to x_j and to a running sum S_ji
/// of what it has taken over from i, and answers with that sum; i subtracts what of it is new,
///
///     j, on a request with x:  delta = (x - x_j) / 2,  x_j <- x_j + delta,  S_ji <- S_ji + delta,  c_ji <- c_ji + 1
///     (1) i, on an answer S, c:    if c > seen c:  x_i <- x_i - (S - seen S) (2)
///
/// so that sum_i x_i - sum_{j,i} (S_ji - what i has seen of it) is always the sum of the x_i^0. `locked` is the
/// exchange of the paper: who waits for an answer refuses requests and skips its ticks; the sum is kept only while no
/// answer is on its way, and a lost answer ends i's part in it. Without latency both are the paper's. Computation takes
/// no time. An update is one request that is served. Source: Boyd, Ghosh, Prabhakar, Shah, "Randomized gossip
/// algorithms", IEEE Trans. Inf. Theory 52 (2006), section 2; the additive form is ours.
namespace lagnet {

enum class GossipProtocol { additive, locked };
constexpr auto spellings(GossipProtocol) {
  return std::array{Spelling{GossipProtocol::additive, "additive"}, Spelling{GossipProtocol::locked, "locked"}};
}

struct PairwiseGossipOptions {
  static constexpr std::string_view kind = "pairwise_gossip";
  static constexpr std::string_view summary =
      "averages what each agent finds alone, two agents at a time by their clocks (Boyd et al. 2006)";
  AlgorithmTraits traits() const {
    return {.partition_by = PartitionBy::samples,
            .takes_regularizers = Regularizers::all,
            .square = SquareStands::in_subproblems,
            .agents_keep_state = true,
            .waits_for_answers = protocol == GossipProtocol::locked,
            .timing_only = true,
            .depends_on_order = true};
  }
  GossipProtocol protocol = GossipProtocol::additive;
  NeighborChoice choose = NeighborChoice::random;
  static void fields(auto& self, auto& field) {
    field("protocol", self.protocol,
          "additive: no agent waits, and no loss or delay changes the mean; locked: an agent that waits for an answer "
          "refuses requests, and waits forever if the answer is lost");
    field("choose", self.choose, neighbor_choice_text);
  }
};

class PairwiseGossip final : public AlikeAgents {
 public:
  /// Throws Diagnosed where an agent's own samples leave no minimizer to be found.
  PairwiseGossip(const PairwiseGossipOptions& options, MethodInput input);

  /// Parts: x_i (d); of the additive form also agent i's part of the sum that is kept (d).
  std::vector<Vector> first_report(AgentId agent) const override;
  std::vector<std::string> metric_names() const override { return {"consensus_error"}; }
  /// The mean of the x_i. consensus_error: sqrt(sum_i |x_i - mean|^2 / m).
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override { return protocol_ == GossipProtocol::locked ? locked(me) : additive(me); }
  Task<> additive(Agent& me) const;
  Task<> locked(Agent& me) const;

  GossipProtocol protocol_;
  NeighborChoice choose_;
  std::shared_ptr<const Clocks> clocks_;  // where the scenario has none
  std::vector<Vector> start_;             // x_i^0 by agent (d)
};

}  // namespace lagnet
