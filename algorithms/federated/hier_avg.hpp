#pragma once

#include <vector>

#include "algorithms/federated/fed_prox.hpp"

/// Hierarchical federated averaging: a cloud, edge servers, and clients below each of them.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, pi_k = n_k / n
///     unless given;   C_l the clients of edge l, P_l = sum_{C_l} pi_k
///
///     cloud, round t:  sends w to all edges;  w += eta_s sum_l P_l (y_l - w) / sum_l P_l, over answers          (7.1)
///     edge, on w:      y = w;  r = 1 .. kappa_2, e = (t-1) kappa_2 + r:  sends y to its clients of the cohort of e;
///                      y += sum_{A_e} (pi_k / sum_{A_e} pi_j) Delta_k, A_e: clients whose answers came          (7.2)
///                      after the last r sends y - w
///     client, on y:    local steps from y, as of fed_avg, or with mu as of fed_prox, and sends its change Delta_k
///
/// The cohort of an edge round is drawn once among all clients; each edge takes its own part. P_l counts all clients of
/// an edge, also those that did not answer. With kappa_2 = 1 it is fed_avg over the star, and with one edge and eta_s =
/// 1 a round is kappa_2 rounds of it. With the same local steps in a round, more edge rounds take away the drift within
/// edges. A round takes one trip to the edges and back, and kappa_2 trips from there. Source: Liu, Zhang, Song,
/// Letaief, "Client-edge-cloud hierarchical federated learning", ICC 2020, Algorithm 1.
namespace lagnet {

struct HierAvgOptions : ClientStepsOptions {
  static constexpr std::string_view kind = "hier_avg";
  static constexpr std::string_view summary = "federated averaging by edge servers below a cloud (Liu et al. 2020)";
  std::int64_t edge_rounds = 1;  // kappa_2
  double mu = 0;
  std::optional<double> cloud_deadline_ms = {};
  static void fields(auto& self, auto& field) {
    declare_client_steps(self, field);
    field("edge_rounds", self.edge_rounds, "kappa_2, rounds of an edge with its clients in a round of the cloud",
          at_least(1));
    field("mu", self.mu, "weight of the distance to the edge's model in local steps, as of fed_prox", at_least(0));
    field("cloud_deadline_ms", self.cloud_deadline_ms,
          "time after which the cloud closes a round with the edges that have answered, in ms; null: it waits for all. "
          "participation.deadline_ms is that of the edges",
          above_to(0, 9e12));
    declare_weights(self, field);
  }
  AlgorithmTraits traits() const {
    AlgorithmTraits all = ClientStepsOptions::traits();
    all.two_levels = true;
    return all;
  }
};

class HierAvg final : public ProximalSteps {
 public:
  /// Throws Diagnosed if the regularizer offers no subgradient.
  HierAvg(const HierAvgOptions& options, MethodInput given);

  void spawn(Host& host) const override;

 private:
  Task<> serve(Agent& me) const override;  // the cloud
  Task<> relay(Agent& me) const;           // an edge

  Round kappa_2_;
  std::optional<double> cloud_deadline_ms_;
  std::vector<AgentId> edges_;
};

}  // namespace lagnet
