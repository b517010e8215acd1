#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/federated/bases/aggregator.hpp"
#include "algorithms/federated/bases/clients.hpp"
#include "sim/base/options.hpp"

/// How a server moves its model w by the aggregate a of a round's answers (Algorithm 2 of FedOpt), entry by entry:
///
///     sgd                    m = momentum m + a;  w += eta_s m                                               (4.1)
///     adagrad, adam, yogi    m = beta1 m + (1 - beta1) a                                                     (4.2)
///                            v += a^2;  v = beta2 v + (1 - beta2) a^2;  v -= (1 - beta2) a^2 sign(v - a^2)   (4.3)
///                            w += eta_s m / (sqrt(v) + tau)                                                  (4.4)
///
/// from m = 0 and v = v0, without bias correction. A round whose answers have no weight changes nothing. Sources: Hsu,
/// Qi, Brown, "Measuring the effects of non-identical data distribution for federated visual classification", 2019
/// (sgd); Reddi, Charles, Zaheer, Garrett, Rush, Konecny, Kumar, McMahan, "Adaptive federated optimization", ICLR 2021.
namespace lagnet {

struct ServerSgdOptions {
  static constexpr std::string_view kind = "sgd";
  static constexpr std::string_view summary = "the aggregate, with momentum; momentum 0: plain averaging";
  double momentum = 0;
  static void fields(auto& self, auto& field) {
    field("momentum", self.momentum, "factor on the direction of the round before: 0.9", below_one());
  }
  static constexpr Limits below_one() { return {.low = 0, .high = 1, .high_excluded = true}; }
};

/// Of the kinds with a second moment.
struct AdaptiveOptions {
  double beta1 = 0.9;
  double tau = 1e-3;
  std::optional<double> v0 = {};
  double starting_v() const { return v0.value_or(tau * tau); }
};
void declare_adaptive(auto& self, auto& field) {
  field("beta1", self.beta1, "factor on the first moment of the round before", ServerSgdOptions::below_one());
  field("tau", self.tau, "added to the square root of the second moment: how little it adapts", above(0));
  field("v0", self.v0, "the second moment before round 1; null: tau^2, the least that the source has", at_least(0));
}
void declare_beta2(auto& self, auto& field) {
  field("beta2", self.beta2, "factor on the second moment of the round before", ServerSgdOptions::below_one());
}

struct ServerAdagradOptions : AdaptiveOptions {
  static constexpr std::string_view kind = "adagrad";
  static constexpr std::string_view summary = "entries over the root of their summed squares";
  ServerAdagradOptions() { beta1 = 0; }
  static void fields(auto& self, auto& field) { declare_adaptive(self, field); }
};
struct ServerAdamOptions : AdaptiveOptions {
  static constexpr std::string_view kind = "adam";
  static constexpr std::string_view summary = "entries over the root of a moving mean of their squares";
  double beta2 = 0.99;
  static void fields(auto& self, auto& field) {
    declare_adaptive(self, field);
    declare_beta2(self, field);
  }
};
struct ServerYogiOptions : AdaptiveOptions {
  static constexpr std::string_view kind = "yogi";
  static constexpr std::string_view summary = "as adam, with a second moment that shrinks more slowly";
  double beta2 = 0.99;
  static void fields(auto& self, auto& field) {
    declare_adaptive(self, field);
    declare_beta2(self, field);
  }
};
struct ServerOptimizerOptions : OneOf<ServerSgdOptions, ServerAdagradOptions, ServerAdamOptions, ServerYogiOptions> {
  static constexpr std::string_view called = "server optimizer";
  using OneOf::OneOf;
};

enum class AnswerWeights { pi, equal };
constexpr auto spellings(AnswerWeights) {
  return std::array{Spelling{AnswerWeights::pi, "pi"}, Spelling{AnswerWeights::equal, "equal"}};
}

struct ServerUpdateOptions {
  ServerOptimizerOptions server_optimizer = {};
  AnswerWeights answer_weights = AnswerWeights::pi;
  AggregationOptions aggregation = {};

  bool is_adaptive() const { return server_optimizer.kind() != ServerSgdOptions::kind; }
};
/// Declares them for options that have them as `server`.
/// The traits of a method that has it.
inline AlgorithmTraits with_server_update(const AlgorithmTraits& traits, const ServerUpdateOptions& options) {
  AlgorithmTraits all = with_aggregation(traits, options.aggregation);
  all.takes_selection = true;
  return all;
}
void declare_server_update(auto& self, auto& field) {
  field("server_optimizer", self.server.server_optimizer,
        "how the server moves by the mean of the clients' changes: {\"kind\": \"sgd\", \"momentum\": 0.9}, {\"kind\": "
        "\"adam\"}");
  field("answer_weights", self.server.answer_weights,
        "weights of the answers that came: pi, in proportion to pi_k, or equal");
  field("aggregation", self.server.aggregation,
        "the rule in place of the mean of the answers: {\"kind\": \"trimmed_mean\", \"trim\": 0.2}");
}
/// Reports step sizes that only a number can be.
void check_server_update(const auto& self, auto& report) {
  if (self.server.is_adaptive() && !self.client_step)
    report("client_step", "a number with server_optimizer " + std::string(self.server.server_optimizer.kind()),
           "theory");
}

/// The part that is the same for all rounds.
class ServerUpdate {
 public:
  ServerUpdate(const ServerUpdateOptions& options, const Clients& clients, const MethodInput& given, double eta_s);

  /// q_k, the weights among the answers that came; zeros where there are none.
  std::vector<double> weights(std::span<const Message> answers) const;
  /// Whether a round with these answers moves w.
  bool takes(std::span<const Message> answers) const { return aggregator_.takes(answers); }
  /// The cost of moving w by this many answers, without ServerState::more().
  Cost work(std::size_t answers) const;
  /// Whether the mean alone moves w.
  bool is_plain() const { return kind_ == Kind::sgd && momentum_ == 0; }
  /// What users should know of its constants, and after a run.
  Remarks warnings() const;
  Remarks remarks() const { return aggregator_.remarks(); }

 private:
  friend class ServerState;
  enum class Kind { sgd, adagrad, adam, yogi };

  Flops flops() const;   // for each entry of w, beside those of the aggregate
  Index passes() const;  // vectors of dim numbers that it reads and writes, beside those of the aggregate

  const Clients& clients_;
  Aggregator aggregator_;
  Index d_;
  AnswerWeights answer_weights_;
  double eta_s_;
  Kind kind_ = Kind::sgd;
  double momentum_ = 0, beta1_ = 0, beta2_ = 0, tau_ = 0, v0_ = 0;
};

/// What a server keeps from round to round beside w.
class ServerState {
 public:
  ServerState(const ServerUpdate& update, const Agent& me, Index d);
  /// Moves w by the aggregate: scale times that of the answers' first d numbers.
  void move(StateVector& w, std::span<const Message> answers, double scale = 1);
  /// Flops of the last move beside its work(), of a rule whose work depends on the numbers.
  Flops more() const { return more_; }

 private:
  void step(StateVector& w);

  const ServerUpdate& update_;
  StateVector a;     // the aggregate       (d)
  StateVector m, v;  // its two moments     (d each)
  Vector kept_;      // by the rule         (d)
  Flops more_ = 0;
};

}  // namespace lagnet
