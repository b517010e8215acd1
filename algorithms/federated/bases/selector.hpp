#pragma once

#include <span>
#include <utility>
#include <vector>

#include "algorithms/federated/bases/clients.hpp"
#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/rounds.hpp"
#include "algorithms/interface/selection.hpp"

/// How a server asks clients that it chooses itself, by what they have answered (selection.hpp), and what these do for
/// it beside their training. Where selector.chooses(), a server has co_await selector.ask(me, t, w, learnt, answers) in
/// place of its own asking, and a client co_await selector.next_work(me, told, request) in place of its next request;
/// where selector.measures(), an answer ends with selector.measure(..).
namespace lagnet {

/// What the server has learnt of its clients, by agent.
struct Learnt {
  std::vector<double> measures = {};  // the last loss, or utility; nothing is known of those below 0
  std::vector<double> seconds = {};   // the last time from request to answer, or the sum of all
  std::vector<Round> last = {};       // the round of the last answer
  std::vector<std::int64_t> answers = {};
  std::vector<std::vector<AgentId>> tiers = {};
};

class Selector {
 public:
  /// Both must outlive it.
  Selector(const MethodInput& given, const Clients& clients);

  /// Whether the server chooses; else the scenario's participation does.
  bool chooses() const { return given_.selection.index() > 0; }

  /// A round of the server: sends w to those it chooses, and waits for the answers that come in time, in the order of
  /// their senders.
  Task<> ask(Agent& me, Round t, const StateVector& w, Learnt& learnt, std::vector<Message>& answers) const;

  /// A client: its next request to train, after answers to others. `told` keeps what the server told it; name both in
  /// the caller.
  Task<> next_work(Agent& me, Message& told, Message& request) const;

  /// Whether answers end with one more number, a client's loss or U_k at the server's w, and what it costs, if so.
  bool measures() const;
  double measure(AgentId client, VectorRef w) const;
  Cost measure_work(AgentId client) const;

 private:
  std::vector<double> losses(AgentId client, VectorRef w) const;  // of each sample
  Cost losses_work(AgentId client) const;
  double mean_loss(const Agent& me, Round t, VectorRef w) const;
  Uniforms uniforms(const Agent& me, Purpose purpose, Round t) const;
  std::vector<AgentId> drawn_candidates(const Agent& me, Round t, const PowerOfChoiceOptions& options) const;
  std::vector<AgentId> chosen(const Agent& me, Round t, Learnt& learnt) const;
  std::vector<AgentId> chosen_by_oort(const Agent& me, Round t, const OortOptions& options, const Learnt& learnt) const;
  std::vector<AgentId> chosen_tier(const Agent& me, Round t, const TiersOptions& options, Learnt& learnt) const;
  void learn(Round t, std::span<const Message> answers, std::span<const std::pair<AgentId, Time>> times, Time asked,
             Learnt& learnt) const;

  const MethodInput& given_;
  const Clients& clients_;
};

}  // namespace lagnet
