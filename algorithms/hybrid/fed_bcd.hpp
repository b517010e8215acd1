#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/kernels/row_block.hpp"
#include "sim/base/options.hpp"

/// FedBCD, block coordinate descent where every party holds all samples and some of their features.
///
///     minimize over theta   F(theta) = (1/n) sum_i l(sum_k x_i^k'theta_k, y_i) + (lambda/2) |theta|^2
///
/// In round t the parties exchange their scores of a batch S of b samples. All know S without a message, from the
/// shared seed. Then each takes Q steps, all at the same time, with its newest block and the others' scores as they
/// were:
///
///     H_i^k = x_i^k'theta_k of all i in S, from party k to the server, and H_i = sum_k H_i^k back               (1)
///     g_k = (1/b) sum over S of l'(H_i - H_i^k + x_i^k'theta_k, y_i) x_i^k + lambda theta_k                     (2)
///     theta_k <- theta_k - eta_t g_k,   eta_t = eta / t^decay                                                   (3)
///
/// Q = 1 is a step of gradient descent on all blocks. If l' is Lipschitz, and eta, b and Q suit the number T of steps,
/// the mean of |grad F|^2 over these steps is of the order 1 / sqrt(T), after of the order of sqrt(T) exchanges; eta is
/// then of the order 1 / sqrt(T). It needs all parties in each round. A round is one round trip, b numbers each way.
/// Source: Liu, Kang, Zhang, Li, Cheng, Chen, Hong, Yang, "A Communication Efficient Collaborative Learning Framework
/// for Distributed Features", arXiv:1912.11187, FedBCD-p. There the party with the labels adds up the scores; here a
/// server does, and all parties have the labels, so that (2) has each party's newest scores, as in the analysis.
namespace lagnet {

struct FedBcdOptions {
  static constexpr std::string_view kind = "fed_bcd";
  static constexpr std::string_view summary =
      "local steps on blocks of features between exchanges of scores, FedBCD (Liu et al. 2019)";
  static constexpr AlgorithmTraits traits{.server = true,
                                          .takes_regularizers = Regularizers::smooth,
                                          .every_message = "fed_bcd needs the scores of all parties",
                                          .timing_only = true};
  std::int64_t local_steps = 1;
  std::optional<std::int64_t> batch = {};
  double step = 0;
  double decay = 0;
  static void fields(auto& self, auto& field) {
    field("local_steps", self.local_steps, "Q, steps of a party between two exchanges", at_least(1));
    field("batch", self.batch, "b, samples of a round, drawn without replacement; null: all", at_least(1));
    field("step", self.step, "eta, the step of the first round: 0.1", above(0).required());
    field("decay", self.decay, "the step of round t is eta / t^decay", within(0, 1));
  }
};

class FedBcd final : public Algorithm {
 public:
  /// Throws Diagnosed for a loss with kinks, for a constraint, and for data whose rows are no samples.
  FedBcd(const FedBcdOptions& options, MethodInput given);

  void spawn(Host& host) const override;
  /// The parties report their theta_k (d_k each).
  std::vector<AgentId> reporters() const override { return parties_; }
  std::vector<std::string> metric_names() const override { return {"squared_gradient"}; }
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  std::optional<Bytes> memory() const override;

 private:
  Task<> serve(Agent& me) const;
  Task<> descend(Agent& me) const;  // a party
  const Problem& problem() const { return given_.problem; }
  double eta(Round t) const;
  Index entries_of(const SampleRows& X, std::span<const Index> S) const;  // stored ones
  // Of rows with that many entries: their scores, 2 flops an entry; and Q times (2) and (3), of which the first has the
  // scores of the exchange.
  Cost scores_work(const SampleRows& X, Index entries) const;
  Cost steps_work(const SampleRows& X, Index entries) const;

  static constexpr Bytes number = sizeof(double);
  MethodInput given_;
  FedBcdOptions options_;
  Index b_ = 0;
  double lambda_ = 0;
  std::vector<AgentId> parties_;    // ascending
  std::vector<SampleRows> blocks_;  // X_k by agent, the server's without columns (n x d_k)
};

}  // namespace lagnet
