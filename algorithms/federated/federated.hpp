#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "algorithms/federated/clients.hpp"
#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/rounds.hpp"
#include "algorithms/kernels/minibatches.hpp"
#include "algorithms/objectives/ball_prox.hpp"
#include "sim/base/options.hpp"

/// The base of federated methods: the protocol of server and clients, minibatches, the costs of these and of vector
/// operations, and remarks on a run.
namespace lagnet {

/// Declares the options of local steps.
template <class Self, class Visitor>
void declare_local_steps(Self& self, Visitor& field) {
  field("local_steps", self.local_steps, "E, steps of a client in a round", at_least(1));
  field("batch", self.batch, "samples of a minibatch, drawn without replacement; null, or as many as a client has: all",
        at_least(1));
}
template <class Self, class Visitor>
void declare_weights(Self& self, Visitor& field) {
  field("weights", self.weights,
        "pi_k, the weight of each client's mean loss, adding up to 1; an empty list: its part of the samples. With "
        "weights of its own the objective is no mean over the samples, and relative_error is empty",
        at_least(0));
}
template <class Self, class Visitor>
void declare_rho(Self& self, Visitor& field) {
  field(
      "rho", self.rho,
      "radius of the Euclidean ball that the iterates are kept in; null: none. The optimum that relative_error refers "
      "to is the one without it",
      above(0));
}

class FederatedMethod : public Algorithm {
 public:
  void spawn(Host& host) const override;
  /// The server, whose report's first part is the published model w (dim).
  std::vector<AgentId> reporters() const override { return {server_agent}; }
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& yardstick) const override;
  bool has_own_objective() const override { return clients_.has_own_weights(); }
  std::optional<Bytes> memory() const override;
  std::vector<std::string> remarks(const RunCounts& counts) const override;

 protected:
  struct LocalSteps {
    Index E = 1;
    std::optional<Index> batch = {};
    std::vector<double> weights = {};  // pi_k; empty: n_k / n
    bool keeps_constraint = false;     // the method keeps its iterates in the problem's set
  };
  /// Throws OptionError for weights that cannot be used, and for a problem with a constraint, unless the method keeps
  /// to it; `kind` names the method.
  FederatedMethod(std::string_view kind, LocalSteps steps, MethodInput assignment);

  /// What follows from answers that were missing.
  virtual std::string_view without_answers() const { return "each mean is over those that came"; }

  /// Throws OptionError, in the name of a method of that kind, for a loss that has kinks.
  void need_gradient(std::string_view kind) const;

  virtual Task<> serve(Agent& me) const = 0;  // the server
  virtual Task<> train(Agent& me) const = 0;  // a client
  /// The server's rounds: sends `request`, a vector or what makes the payload, to the cohort, runs combine(answers) if
  /// any came in time, and reports these parts of its state.
  template <class Request, class Combine, class... Parts>
  Task<> serve_rounds(Agent& me, const Request& request, Combine& combine, const Parts&... parts) const;
  /// A client's rounds: answers each request by the vector that local_steps(request, batches) returns.
  template <class Kernel>
  Task<> train_rounds(Agent& me, Kernel local_steps) const;
  /// How many minibatches a client takes in a round: E, unless a method says otherwise.
  virtual Index batches_in(Round) const { return E_; }
  /// The cost of a client's round without the minibatches' gradients.
  virtual Cost own_work(Round) const { return {}; }
  /// What the server does with this many answers.
  virtual Cost server_work(std::size_t answers) const = 0;
  /// Vectors of dim numbers in the server's message to a client, and in its answer.
  struct Vectors {
    Index request = 1, answer = 1;
  };
  virtual Vectors vectors() const { return {}; }

  const MethodInput& given() const { return given_; }
  const Problem& problem() const { return given_.problem; }
  const Loss& loss() const { return *given_.problem.loss; }
  const Regularizer& regularizer() const { return *given_.problem.regularizer; }
  const Clients& clients() const { return clients_; }
  Round rounds() const { return given_.rounds; }
  bool has_numbers() const { return !given_.timing_only; }
  Index agents() const { return given_.network.agents; }
  Index d() const { return d_; }  // dim of the problem
  Index E() const { return E_; }

  /// A client's minibatches. A timing-only run draws them only if their samples decide the cost.
  Minibatches minibatches(const Agent& me, Round round) const;
  /// What a client does in a round.
  Cost client_work(AgentId client, const Minibatches& batches, Round round) const;
  /// The weighted mean of answers of dim numbers, with `more` additional flops and passes.
  Cost mean_work(std::size_t answers, Flops more, Index passes) const {
    const auto m = static_cast<Index>(answers);
    return vector_work(2 * m * d_ + more, m + passes);
  }
  /// These flops, in this many readings and writings of vectors of dim numbers.
  Cost vector_work(Flops flops, Index passes) const { return {flops, Bytes{sizeof(double)} * passes * d_}; }
  static Cost times(Index count, Cost work) { return {count * work.flops, count * work.bytes}; }

  /// Throws OptionError for "rho" unless the start is in the ball.
  double checked_radius(std::optional<double> rho) const;

 private:
  MethodInput given_;
  Clients clients_;
  Index d_;
  Index E_;
  std::optional<Index> batch_;
};

template <class Request, class Combine, class... Parts>
Task<> FederatedMethod::serve_rounds(Agent& me, const Request& request, Combine& combine, const Parts&... parts) const {
  std::vector<Message> answers;
  auto kernel = [&] { combine(std::span<const Message>(answers)); };
  const auto payload = [&]() -> Payload {
    if constexpr (std::invocable<Request>)
      return request();
    else
      return request;
  };
  me.report(0, parts...);
  for (Round t = 1; t <= rounds(); ++t) {
    const Payload body = payload();
    answers = co_await ask(me, t, body);
    if (!answers.empty()) co_await me.compute(server_work(answers.size()), kernel);
    me.report(t, parts...);
  }
}

template <class Kernel>
Task<> FederatedMethod::train_rounds(Agent& me, Kernel local_steps) const {
  Message request;
  StateVector answer = me.vector(vectors().answer * d_);
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round);
    auto kernel = [&] { answer = local_steps(request, batches); };
    co_await me.compute(client_work(me.id(), batches, request.round), kernel);
    me.send(server_agent, request.round, answer);
  }
}

}  // namespace lagnet
