#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/interface/rounds.hpp"
#include "algorithms/kernels/row_block.hpp"

/// The clients of a server that hold samples: which rows each has, and the weights with which the server averages.
namespace lagnet {

class Clients {
 public:
  /// The clients are all agents but the server, or on a tree of two levels those below its edges, and each holds the
  /// samples that the assignment gives it, at least one. An edge weighs as much as its clients together. `weights` are
  /// the pi_k, in the order of the clients; empty: n_k / n, or 1/m each where agents weigh alike. Throws Diagnosed for
  /// "weights" unless there is one for each client, none is below 0 and they add up to 1 within 1e-9.
  explicit Clients(const MethodInput& given, const std::vector<double>& weights = {});

  std::span<const AgentId> agents() const { return agents_; }  // ascending
  /// The samples of a client, n_k x d.
  const RowBlock& samples(AgentId client) const { return blocks_[client]; }
  /// q_k = pi_k / sum over all answers of pi_j, in the order of the answers: the weights among those that came; zeros
  /// where all of these are 0.
  std::vector<double> weights(std::span<const Message> answers) const;
  /// Whether any of them has a weight above 0; otherwise they have no mean.
  bool have_weight(std::span<const Message> answers) const;
  /// sum += factor * sum_k q_k v_k, v_k the which-th vector of that size in the answer of client k.
  void add_mean(std::span<const Message> answers, double factor, StateVector& sum, Index which = 0) const;
  /// Whether all clients have the same weight.
  bool weigh_alike() const;
  double pi(AgentId client) const { return shares_[client] / all_shares_; }
  bool has_own_weights() const { return own_weights_; }
  /// sum_k pi_k L_k(w) + r(w): the problem's objective with these weights; w (dim).
  double objective(const Problem& problem, VectorRef w) const;
  /// The same of some clients alone, by their weights among them.
  double objective_of(const Problem& problem, VectorRef w, std::span<const AgentId> some) const;

  /// w_0, which all share (dim).
  const Vector& start() const { return start_; }
  StateVector start(const Agent& me) const;  // as that agent's state

 private:
  std::vector<AgentId> agents_;
  std::vector<Index> starts_;     // of their rows in the problem's, and their end
  std::vector<RowBlock> blocks_;  // by agent; the server's is empty
  std::vector<double> shares_;    // by agent: n_k, or the pi_k that were given
  double all_shares_ = 0;
  bool own_weights_, are_even_;  // given, or 1/m each
  Index dim_;
  Vector start_;  // (dim), or nothing where it is zero in a timing-only run
};

}  // namespace lagnet
