#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/federated/bases/clients.hpp"
#include "algorithms/kernels/minibatches.hpp"
#include "sim/base/options.hpp"
#include "sim/base/round_counts.hpp"

/// How much a client does in a round, and on which samples: tau_k steps, or E_k epochs of ceil(n_k / B) steps each,
/// which may differ by client and round. Source of the orders of samples: Mishchenko, Khaled, Richtarik, "Random
/// reshuffling: simple analysis with vast improvements", 2020.
namespace lagnet {

struct LocalWorkOptions {
  std::optional<RoundCounts> local_steps = {};   // tau_k
  std::optional<RoundCounts> local_epochs = {};  // E_k
  std::optional<std::int64_t> batch = {};        // B
  std::optional<BatchOrder> batch_order = {};

  /// Whether the work of a round is random.
  bool is_drawn() const {
    return (local_steps && local_steps->are_drawn()) || (local_epochs && local_epochs->are_drawn());
  }
};

/// Declares the same fields of any options.
void declare_local_work(auto& self, auto& field) {
  field("local_steps", self.local_steps,
        "tau, steps of a client in a round: a number; or a list with an entry for each client: a number, or a list of "
        "those of rounds 1, 2, .., which repeat; or drawn for each client and round, {\"kind\": \"uniform\", \"low\": "
        "1, \"high\": 5}; null: 1, unless local_epochs is given",
        at_least(1));
  field("local_epochs", self.local_epochs,
        "E, in place of local_steps: how often a client goes through its samples in a round, ceil(n_k / batch) steps "
        "each time; numbers as of local_steps",
        at_least(1));
  field("batch", self.batch, "samples of a minibatch; null, or as many as a client has: all", at_least(1));
  field("batch_order", self.batch_order,
        "independent (without replacement inside a batch, anew in each step), reshuffle (an epoch goes through all "
        "samples in random order; the last batch of an epoch may be smaller) or with_replacement; null: independent "
        "with local_steps, reshuffle with local_epochs");
}
void check_local_work(const auto& self, auto& report) {
  if (self.local_steps && self.local_epochs)
    report("local_epochs", "one of local_steps and local_epochs", *self.local_epochs);
  if (self.batch_order && !self.batch) report("batch_order", "none without batch", spelled(*self.batch_order));
}

class LocalWork {
 public:
  /// All must outlive it. Throws Diagnosed for a list that has not an entry for each client.
  LocalWork(const LocalWorkOptions& options, const MethodInput& given, const Clients& clients);

  /// The minibatches of a client's steps in a round, tau_k of them, and of `more` gradients after them. A timing-only
  /// run draws batches only if their samples decide the cost.
  Minibatches minibatches(const Agent& me, Round round, Index more = 0) const;
  /// tau_k of a client in a round.
  Index steps(const Agent& me, Round round) const;
  /// The largest tau_k of any client in any round.
  Index most_steps() const;
  /// Whether all clients take as many in all rounds.
  bool is_even() const;
  /// Of batches that take much memory.
  Remarks warnings() const;

 private:
  const RoundCounts& counts() const { return options_.local_epochs ? *options_.local_epochs : steps_; }
  Index of_each(AgentId client) const;  // steps of an epoch, or 1
  Minibatches::Below below(const Agent& me, Purpose purpose, Round round) const;

  LocalWorkOptions options_;
  RoundCounts steps_;
  const MethodInput& given_;
  const Clients& clients_;
};

}  // namespace lagnet
