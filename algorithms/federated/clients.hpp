#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/interface/rounds.hpp"
#include "algorithms/kernels/row_block.hpp"

/// What server/client algorithms on samples share: who has which rows, and the weights with which a server averages.
namespace lagnet {

/// A round of such an algorithm without its numbers.
struct RoundSizes {
  Round rounds = 0;
  Payload request, answer;                               // shapes alone: of the server to each, of a client to it
  std::function<Cost(std::size_t answers)> server_work;  // where at least one answer came
  std::function<Cost(const Agent&, Round)> client_work;
  std::function<Cost(const Agent&)> client_start = {};  // before its first request; empty, or without flops: nothing
};

class Clients {
 public:
  /// The clients are all agents but the server, and each holds the samples that the assignment gives it, at least one.
  /// `weights` are the pi_k, in the order of the clients; empty: n_k / n. Throws OptionError for "weights" unless there
  /// is one for each client, none is below 0 and they add up to 1 within 1e-9.
  explicit Clients(const MethodInput& given, const std::vector<double>& weights = {});

  std::span<const AgentId> agents() const { return agents_; }  // ascending
  /// The samples of a client, n_k x d.
  const RowBlock& samples(AgentId client) const { return blocks_[client]; }
  /// q_k = pi_k / sum over all answers of pi_j, in the order of the answers: the weights among those that came; zeros
  /// where all of these are 0.
  std::vector<double> weights(std::span<const Message> answers) const;
  /// Whether any of them has a weight above 0: else there is no mean of them.
  bool have_weight(std::span<const Message> answers) const;
  double pi(AgentId client) const { return shares_[client] / all_shares_; }
  bool has_own_weights() const { return own_weights_; }
  /// sum_k pi_k L_k(w) + r(w), the problem's objective but for the weights; w (dim).
  double objective(const Problem& problem, VectorRef w) const;

  /// w_0, which all share (dim).
  const Vector& start() const { return start_; }

  /// Gives the server and the clients their coroutines. The clients serve requests for ever, so that the run ends when
  /// the server has finished.
  template <class Server, class Client>
  void spawn(Host& host, Server server, Client client) const {
    host.spawn(server_agent, server);
    for (const AgentId k : agents_) host.spawn(k, client, Host::Role::daemon);
  }
  /// Their twins in sizes: the server asks a cohort, collects, computes and reports, a client computes and answers its
  /// newest request.
  void spawn_sizes(Host& host, RoundSizes sizes) const;

 private:
  std::vector<AgentId> agents_;
  std::vector<Index> starts_;     // of their rows in the problem's, and their end
  std::vector<RowBlock> blocks_;  // by agent; the server's is empty
  std::vector<double> shares_;    // by agent: n_k, or the pi_k that were given
  double all_shares_ = 0;
  bool own_weights_;
  Vector start_;
};

}  // namespace lagnet
