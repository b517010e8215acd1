#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/peers/bases/chebyshev.hpp"
#include "sim/base/options.hpp"

/// Mixing with the neighbors: every agent replaces its vector by a weighted mean of its own and its neighbors', K
/// times,
///
///     u_i <- w_ii u_i + sum over neighbors k of w_ik u_k,
///
/// which keeps the mean and multiplies the vectors' distance from it by at most rho^K, rho = |W - 11'/m|_2. K rounds
/// are one multiplication by W^K, or by a polynomial P_K(W) that brings them nearer (chebyshev.hpp). Where rounds run
/// on graphs in turn, W may be that of the round's graph alone (RoundWeights). Where a message is missing (see the
/// scenario's missing_neighbor) its weight goes to the own vector, so that the weights still sum to 1.
namespace lagnet {

enum class GossipAcceleration { none, chebyshev };
constexpr auto spellings(GossipAcceleration) {
  return std::array{Spelling{GossipAcceleration::none, "none"}, Spelling{GossipAcceleration::chebyshev, "chebyshev"}};
}

struct MixingOptions {
  std::optional<std::int64_t> rounds;
  std::optional<double> target;
  GossipAcceleration acceleration = GossipAcceleration::none;
  static void fields(auto& self, auto& field) {
    field("gossip_rounds", self.rounds, "K, rounds of gossip in each mixing; 1 if gossip_target is not given either",
          within(1, 1e6));
    field("gossip_target", self.target,
          "instead of gossip_rounds: the smallest K with rho^K at most this, rho that of the gossip matrix",
          between(0, 1));
    field(
        "acceleration", self.acceleration,
        "none; chebyshev: K rounds multiply with the Chebyshev polynomial of W that is smallest on its spectrum, at "
        "the same bytes, and one round where that is all it takes, as on a complete graph; gossip_target then takes K "
        "from what that leaves");
  }
  void check(auto& report) const {
    if (rounds && target) report("gossip_target", "one of gossip_rounds and gossip_target", "both of them");
  }
};

/// Puts (I + W) / 2 in the place of W.
void make_lazy(NetworkFacts& network);
/// An agent's rows of the gossip matrices: of one for all rounds, or of each round's own.
class OwnRows {
 public:
  /// All must outlive this; `of_rounds` may be null.
  OwnRows(const std::vector<GossipRow>& rows, const RoundWeights* of_rounds, GraphTurns turns, const Agent& me)
      : rows_(rows), of_rounds_(of_rounds), turns_(turns), me_(me) {}
  OwnRows(const NetworkFacts& network, const Agent& me)
      : OwnRows(network.gossip, network.round_weights.get(), network.turns, me) {}
  /// Of the next exchange, with the weight 0 for whom its round does not hear; valid up to the next call.
  const GossipRow& next();

 private:
  void weigh_alike();
  void take_row(const SparseMatrix& W);

  const std::vector<GossipRow>& rows_;
  const RoundWeights* of_rounds_;
  const GraphTurns turns_;
  const Agent& me_;
  GossipRow row_;  // of a round
};

/// An agent's row of W; of a timing-only fleet, for which W is not computed, an empty one.
const GossipRow& gossip_row(const std::vector<GossipRow>& rows, const Agent& me);
/// After an exchange: gives the own vector the weights of the neighbors whose vectors are not in it.
void add_absent(const Agent& me, const GossipRow& row, const Vector& own, Vector& mixed);
/// The sum of the row's weights of the neighbors whose vectors the last exchange contains.
double weight_of_present(const Agent& me, const GossipRow& row);
/// One mixing: a product for each vector that came and for the own one, and the additions.
Cost mixing_cost(const Agent& me, Index d);

class Mixing {
 public:
  /// `network` must have its gossip matrix. Throws Diagnosed for K < 1, and where gossip does not reach everybody
  /// (rho >= 1). For one agent the options are ignored: there is nothing to mix.
  Mixing(const MixingOptions& options, const NetworkFacts& network);

  Index rounds() const { return rounds_; }  // K; 0 for one agent
  double rho() const { return rho_; }       // of W^K, or P_K(W); 0 for one agent, 1 for rounds of their own weights
  /// The smallest eigenvalue of W^K, or 0 for an even K; of P_K(W), and of rounds' own weights, a bound; 1 for one
  /// agent.
  double lowest() const;
  bool is_accelerated() const { return chebyshev_.has_value(); }
  /// A warning for a W with negative eigenvalues and an odd K, where theory wants W^K positive semidefinite.
  Remarks semidefinite_warnings() const;

  /// Mixes u (d), which must stay until the task has ended. Each round is billed (2 deg + 1) d flops, deg the number of
  /// neighbors whose vectors came; an accelerated one 3 d more, and from the second on 5 d.
  Task<> mix(Agent& me, StateVector& u) const;
  /// W^K u or P_K(W) u, u the vectors of all agents (m x d): a mixing without missing messages.
  Matrix mixed(Matrix u) const;

 private:
  Task<> mix_plainly(Agent& me, StateVector& u) const;
  Task<> mix_accelerated(Agent& me, StateVector& u) const;

  std::vector<GossipRow> rows_;
  std::shared_ptr<const RoundWeights> of_rounds_;  // null: rows_
  GraphTurns turns_;
  std::shared_ptr<const SparseMatrix> W_;
  Index rounds_ = 0;
  double rho_ = 0;
  double lowest_ = 1;
  std::optional<Chebyshev> chebyshev_;
};

}  // namespace lagnet
