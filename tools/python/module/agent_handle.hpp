#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/kernels/row_block.hpp"
#include "algorithms/peers/bases/mixing.hpp"
#include "sim/agents/agent.hpp"
#include "tools/python/module/compressed.hpp"

/// The interface of an agent for its coroutine in Python: calls without waiting.
namespace lagnet::python {

/// The calls of a method's agents in a run. Agents in Python are on the simulation's thread.
struct Usage {
  bool works = false;   // they looked at samples, or evaluated a gradient or a prox
  bool awaits = false;  // they waited for a computation
};

/// The input of each agent from its method.
struct AgentFacts {
  const RowBlock* samples = nullptr;  // null for a server
  const Mixing* mixing = nullptr;     // of peers
  /// Of its part of the objective, with what of the regularizer is in it or without (d); none for a server.
  std::function<Vector(VectorRef, bool with_regularizer)> gradient = {};
  Cost gradient_work = {};
  const std::vector<GossipRow>* gossip = nullptr;  // of peers: W
  const ProximalMap* P = nullptr;                  // of the rest of the objective
  double weight = 1;                               // the factor of its mean loss in that gradient
  const std::vector<double>* shares = nullptr;  // n_i / N of each agent, with even weights 1/m; 0 of a server  (agents)
  Index d = 0;                                  // entries of an iterate
  Round rounds = 0;                             // the last one
  bool must_report = false;                     // whether it ends with a report of that round
  Usage* usage = nullptr;
};

/// A message in Python, which can be answered. Payloads belong to their simulation's thread, so that its numbers are
/// copied: Python may keep them for longer, and drop them elsewhere.
struct ReceivedMessage {
  ReceivedMessage(Message&& taken, double weight);
  Message message;  // without its body
  pybind11::array body;
  double weight;  // the sender's share of the objective
};

class AgentHandle {
 public:
  AgentHandle(Agent& me, const AgentFacts& facts) : me_(&me), facts_(facts) {}

  /// From now on every call is an error: the run is over, or a crash deleted the agent's state.
  void retire() { me_ = nullptr; }

  AgentId id() const { return me().id(); }
  std::vector<AgentId> neighbors() const;
  std::vector<AgentId> in_neighbors() const;
  double now_s() const { return me().now().in_seconds(); }
  Index d() const { return facts().d; }
  Round rounds() const { return facts().rounds; }
  Round latest_report() const { return latest_report_; }
  pybind11::object X() const;
  pybind11::object y() const;
  Index samples() const { return facts().samples ? facts().samples->rows() : 0; }
  Index features() const { return facts().samples ? facts().samples->cols() : 0; }
  std::vector<std::uint32_t> absent() const;
  pybind11::array gradient(pybind11::handle at, bool with_regularizer) const;
  Cost gradient_work() const { return facts().gradient_work; }
  pybind11::array weights() const;  // the shares (agents)
  /// Of what of the regularizer the gradient leaves out, or the projection on the constraint.
  pybind11::array prox(pybind11::handle at, double step) const;
  Flops prox_flops() const { return facts().P->flops(facts().d); }

  void enter(Round round) { me().enter(round); }
  Round next_round(Round finished) { return me().next_round(finished); }
  /// Throws ValueError unless it is one vector of d numbers.
  void report(Round round, pybind11::handle iterate);
  void send(AgentId to, Round round, pybind11::handle body, MessageTag tag);
  void broadcast(Round round, pybind11::handle body, MessageTag tag);
  void answer(const ReceivedMessage& request, pybind11::handle body, MessageTag tag);
  std::vector<AgentId> cohort(Round round) const { return me().cohort(round).members; }
  std::vector<ReceivedMessage> drain(MessageTag tag);
  ReceivedMessage received(Message&& message) const;
  void start(std::int64_t number, Flops flops);
  /// Of vectors with d entries, by default those of an iterate.
  PythonCompressor compressor(const std::string& section, std::optional<Index> d) const;
  /// Q(x), with what the agent draws in that round. Several vectors of a round take their numbers from one sequence.
  /// Throws Divergence for an entry that is not finite.
  Packed compress(const PythonCompressor& Q, pybind11::handle x, Round round);
  void used(AgentId from, std::int64_t age) { me().used(from, age); }
  Draws draws(const std::string& purpose, Round round) const { return me().draws(Purpose(purpose), round); }

  /// Throws what kept the latest report from being recorded, whatever became of it in Python.
  void throw_if_not_recorded() {
    if (failed_record_) std::rethrow_exception(std::exchange(failed_record_, nullptr));
  }

  const AgentFacts& facts() const {
    me();  // what they refer to is the run's
    return facts_;
  }
  Agent& me() const;

 private:
  /// Throws ValueError unless it is one vector of d numbers.
  Vector iterate_of(pybind11::handle values, const char* called) const;
  struct Nothing {
    void operator()() const {}
  };
  Agent* me_;
  const AgentFacts facts_;
  Round latest_report_ = -1;
  std::exception_ptr failed_record_;
  std::optional<CompressionDraws> draws_;  // of the latest round that compressed something
  Nothing no_kernel_;
};

void declare_agent(pybind11::module_& module);

}  // namespace lagnet::python
