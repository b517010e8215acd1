#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/federated/bases/clients.hpp"
#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/rounds.hpp"
#include "algorithms/kernels/minibatches.hpp"
#include "algorithms/objectives/ball_prox.hpp"
#include "sim/base/options.hpp"

/// The base of federated methods: minibatches, the costs of these and of vector operations, constants, and remarks on a
/// run. A method adds one coroutine for the server and one for a client.
namespace lagnet {

void declare_batch(auto& self, auto& field) {
  field("batch", self.batch, "samples of a minibatch, drawn without replacement; null, or as many as a client has: all",
        at_least(1));
}
/// Declares the options of local steps.
void declare_local_steps(auto& self, auto& field) {
  field("local_steps", self.local_steps, "E, steps of a client in a round", at_least(1));
  declare_batch(self, field);
}
void declare_weights(auto& self, auto& field) {
  field("weights", self.weights,
        "pi_k, the weight of each client's mean loss, adding up to 1; an empty list: its part of the samples. With "
        "weights of its own the objective is no mean over the samples, and relative_error is empty",
        at_least(0));
}
void declare_rho(auto& self, auto& field) {
  field(
      "rho", self.rho,
      "radius of the Euclidean ball that the iterates are kept in; null: none. The optimum that relative_error refers "
      "to is the one without it",
      above(0));
}

class FederatedMethod : public Algorithm {
 public:
  void spawn(Host& host) const override;
  std::vector<AgentId> reporters() const override { return {server_agent}; }
  /// honest_objective, where some clients attack.
  std::vector<std::string> metric_names() const override;
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  bool has_own_objective() const override { return clients_.has_own_weights(); }
  std::optional<Bytes> memory() const override;
  Remarks remarks(const RunCounts& counts) const override;

 protected:
  struct Basics {
    Index E = 1;
    std::optional<Index> batch = {};
    std::vector<double> weights = {};  // pi_k; empty: n_k / n
    bool keeps_constraint = false;     // the method keeps its iterates in the problem's set
    Index longest_message = 1;         // in vectors of dim numbers
    std::size_t output = 0;            // the part of the server's report that is evaluated (dim)
  };
  /// Throws Diagnosed for weights that cannot be used, and for a problem with a constraint, unless the method keeps
  /// to it; `kind` names the method.
  FederatedMethod(std::string_view kind, Basics basics, MethodInput given);

  virtual Task<> serve(Agent& me) const = 0;  // the server
  virtual Task<> train(Agent& me) const = 0;  // a client
  /// The consequence of missing answers.
  virtual std::string_view without_answers() const { return "each mean is over those that came"; }

  /// Throws Diagnosed, in the name of a method of that kind, for a loss that has kinks.
  void need_gradient(std::string_view kind) const;
  /// The same for a regularizer that offers no subgradient.
  void need_subgradient(std::string_view kind) const;
  /// Of the mean loss of any client, with the curvature of a regularizer (b/2) |w|^2. Throws Diagnosed, for the
  /// option `key`, for a loss with kinks and for data that are all 0.
  double largest_curvature_of_clients(const char* key) const;
  /// Throws Diagnosed unless all clients have the same weight.
  void need_even_clients(std::string_view kind) const;
  /// Throws Diagnosed for "rho" unless the start is in the ball.
  double checked_radius(std::optional<double> rho) const;

  const MethodInput& given() const { return given_; }
  const Problem& problem() const { return given_.problem; }
  const Loss& loss() const { return *given_.problem.loss; }
  const Regularizer& regularizer() const { return *given_.problem.regularizer; }
  const Clients& clients() const { return clients_; }
  Round rounds() const { return given_.rounds; }
  bool has_numbers() const { return !given_.timing_only; }
  Index agents() const { return given_.network.agents; }
  Index d() const { return d_; }  // dim of the problem
  Index E() const { return basics_.E; }

  /// A client's minibatches for this many steps. A timing-only run draws them only if their samples decide the cost.
  Minibatches minibatches(const Agent& me, Round round, Index steps) const;
  /// The cost of all these steps' gradients for a client.
  Cost gradients_work(AgentId client, const Minibatches& batches) const {
    return batches.gradients_work(clients_.samples(client), loss().outputs());
  }
  /// The weighted mean of answers of dim numbers, with `more` additional flops and passes.
  Cost mean_work(std::size_t answers, Flops more, Index passes) const {
    const auto m = static_cast<Index>(answers);
    return vector_work(2 * m * d_ + more, m + passes);
  }
  /// These flops, in this many readings and writings of vectors of dim numbers.
  Cost vector_work(Flops flops, Index passes) const { return {flops, Bytes{sizeof(double)} * passes * d_}; }
  static Cost times(Index count, Cost work) { return {count * work.flops, count * work.bytes}; }

 private:
  MethodInput given_;
  Basics basics_;
  Clients clients_;
  std::vector<AgentId> honest_;  // where others attack; else none
  Index d_;
};

}  // namespace lagnet
