#pragma once

#include <optional>
#include <vector>

#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"
#include "sim/agents/agent.hpp"
#include "sim/base/options.hpp"

/// An agent's state for each of its edges in relaxed ADMM, and its messages over it.
namespace lagnet {

/// An agent that has little new to say to a neighbor says nothing: less than c s^n after its n-th update.
struct SendThreshold {
  double value = 0, factor = 0;
  static void fields(auto& self, auto& field) {
    field("value", self.value, "c, the least change that is sent, at the start", at_least(0).required());
    field("factor", self.factor, "s: after each update the least change is s times what it was",
          between(0, 1).required());
  }
};

struct EdgeOptions {
  double relaxation = 0.5;
  std::optional<SendThreshold> threshold;
  static void fields(auto& self, auto& field) {
    field("relaxation", self.relaxation,
          "alpha, how far z_ij goes to what came; near 1 for agents of equal speed alone", between(0, 1));
    field("threshold", self.threshold,
          "what an agent sends to a neighbor only if it has changed: {\"value\": 1, \"factor\": 0.98}; null: always");
  }
};

class EdgeValues {
 public:
  /// All z_ij start there (size).
  EdgeValues(Agent& me, const EdgeOptions& options, const StateVector& start);

  /// Takes the messages that have arrived, q_j the newest of each neighbor; z_ij <- (1 - alpha) z_ij + alpha q_j for
  /// all neighbors heard so far; reports what it uses.
  void relax(Agent& me);
  /// sum_j z_ij.
  const StateVector& sum() const { return sum_; }
  /// Sends q = 2 rho x - z_ij to each neighbor, after the n-th update, unless it is below the threshold.
  void send(Agent& me, Round n, double rho, const StateVector& x);

 private:
  const EdgeOptions& options_;
  NewestValues newest_;
  std::vector<StateVector> z_, q_;  // by place of the neighbor      (size)
  std::vector<Vector> sent_;        // the last q; empty: none       (size)
  StateVector sum_, out_;           // out_: what is sent            (size)
};

}  // namespace lagnet
