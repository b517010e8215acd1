#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/kernels/row_block.hpp"
#include "algorithms/roles.hpp"

/// What server/client algorithms on samples share: who has which rows, and the weights with which a server averages.
namespace lagnet {

/// A round of such an algorithm without its numbers.
struct RoundSizes {
  Round rounds = 0;
  Payload request, answer;                               // shapes alone: of the server to each, of a client to it
  std::function<Work(std::size_t answers)> server_work;  // where at least one answer came
  std::function<Work(const Agent&, Round)> client_work;
};

class Clients {
 public:
  /// The clients are all agents but the server, and each holds the samples that the assignment gives it, at least one.
  explicit Clients(const Assignment& given);

  std::span<const AgentId> agents() const { return agents_; }  // ascending
  /// The samples of a client, n_k x d.
  const RowBlock& samples(AgentId client) const { return blocks_[client]; }
  /// q_k = n_k / sum over all answers of n_j, in the order of the answers: the weights pi_k = n_k / n among those that
  /// came.
  std::vector<double> weights(std::span<const Message> answers) const;

  /// w_0, which all share (d).
  const Vector& start() const { return start_; }

  /// Gives the server and the clients their coroutines. The clients serve requests for ever, so that the run ends when
  /// the server has finished.
  template <class Server, class Client>
  void spawn(Simulation& simulation, Server server, Client client) const {
    simulation.spawn(server_agent, server);
    for (const AgentId k : agents_) simulation.spawn(k, client, Simulation::Role::daemon);
  }
  /// Their twins in sizes: the server asks a cohort, collects, computes and reports, a client computes and answers its
  /// newest request.
  void spawn_sizes(Simulation& simulation, RoundSizes sizes) const;

 private:
  std::vector<AgentId> agents_;
  std::vector<RowBlock> blocks_;  // by agent; the server's is empty
  Vector start_;
};

/// What the server asks next: its newest request, if several wait. The agent then is in the request's round.
Task<Message> next_request(Agent& me);

/// Sends one body to all of them.
void send_to_all(Agent& me, std::span<const AgentId> members, Round round, const Payload& body);

}  // namespace lagnet
