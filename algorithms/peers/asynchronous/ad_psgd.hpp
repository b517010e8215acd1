#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"

/// Asynchronous decentralized parallel gradient descent: gradients, and averages of pairs.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
/// The topology is bipartite: active agents ask, passive ones answer at any moment, also while they compute, so that no
/// agent waits for a waiting agent.
///
///     active i:   g = grad f_i(x_i);  ask a neighbor j, by x_i, for its y = x_j;  x_i <- (x_i + y) / 2 - eta g (1)
///     passive j:  g = grad f_j(x_j) at the x_j when it begins;  x_j <- x_j - eta g;
///                 on a request with x:  answer x_j,  x_j <- (x_j + x) / 2 (2)
///
/// With `overlap` i asks before it computes, else after. The sum of the x_i changes by gradients alone. Regularizers
/// that have no gradient everywhere enter by a subgradient. Like dgd it ends at a distance of the order of eta, and f_i
/// of slow agents count less. An update is one gradient that is applied; its staleness is how many averages changed x_i
/// while the agent computed it. Source: Lian, Zhang, Zhang, Liu, "Asynchronous decentralized parallel stochastic
/// gradient descent", ICML 2018, algorithm 1 and section 4 (bipartite graphs).
namespace lagnet {

struct AdPsgdOptions {
  static constexpr std::string_view kind = "ad_psgd";
  static constexpr std::string_view summary =
      "asynchronous gradients and averages of pairs over a bipartite topology (Lian et al. 2018)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_two_sides = true,
                                          .takes_regularizers = Regularizers::all,
                                          .square = SquareStands::in_subgradient,
                                          .takes_even_weights = true,
                                          .waits_for_answers = true,
                                          .timing_only = true,
                                          .depends_on_order = true,
                                          .updates_need_time = true};
  double step = 0;
  bool overlap = true;
  NeighborChoice choose = NeighborChoice::random;
  std::vector<std::int64_t> active;
  static void fields(auto& self, auto& field) {
    field("step", self.step, "eta", above(0).required());
    field("overlap", self.overlap, "active agents ask before they compute, else after");
    field("choose", self.choose, neighbor_choice_text);
    field("active", self.active, "the agents of the side that asks; by default the side of agent 0");
  }
};

class AdPsgd final : public AsynchronousPeers {
 public:
  /// Throws Diagnosed where the topology is not bipartite, or where `active` is not one of its sides.
  AdPsgd(const AdPsgdOptions& options, MethodInput input);

 private:
  Task<> run(Agent& me) const override { return is_active_[me.id()] ? active(me) : passive(me); }
  Task<> active(Agent& me) const;
  Task<> passive(Agent& me) const;
  Vector subgradient(AgentId i, VectorRef x) const;  // of f_i

  double eta_;
  bool overlap_;
  NeighborChoice choose_;
  std::vector<bool> is_active_;
  Flops regularizer_flops_ = 0;
};

}  // namespace lagnet
