#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/asynchronous/jobs.hpp"
#include "algorithms/interface/algorithm.hpp"
#include "algorithms/kernels/column_block.hpp"

/// Asynchronous proximal coordinate blocks, features divided among workers beside a server.
///
///     minimize over theta   F(theta) = (1/n) sum_i l((sum_j A_j theta_j)_i, y_i) + sum_j r(theta_j)
///
/// Worker j holds the columns A_j (n x d_j), the block theta_j and the labels y; the server holds z = sum_j A_j
/// theta_j. A worker that gets z takes a proximal gradient step on its block and sends q = A_j theta_j; the server
/// replaces what came from it before, q_j:
///
///     theta_j <- prox of gamma_j r at theta_j - (gamma_j / n) A_j' l'(z, y)                                    (3.13)
///     z <- z + q - q_j,   q_j <- q                                                                            (3.14)
///
/// and hands z back. At all times z = sum_j q_j. Every fixed point is a minimizer of F: no worker counts for more for
/// being faster. Converges for small steps, in theory of the order of 1/(L (1 + 2 tau / sqrt(J))), tau the staleness
/// and J the number of workers; 1/L does in practice, L the largest curvature of F. Steps 1/L_j, of the blocks' own
/// curvatures, can diverge. An update is an answer, 2 messages of n numbers. Source: Peng, Xu, Yan, Yin, "ARock: an
/// algorithmic framework for asynchronous parallel coordinate updates", 2016, for a forward-backward operator, with
/// answers that are whole.
namespace lagnet {

struct AsyncBlocksOptions {
  static constexpr std::string_view kind = "async_blocks";
  static constexpr std::string_view summary =
      "asynchronous proximal coordinate blocks beside a server (ARock form, Peng, Xu, Yan, Yin 2016)";
  static constexpr AlgorithmTraits traits{.server = true,
                                          .takes_regularizers = Regularizers::all,
                                          .server_keeps_state = true,
                                          .timing_only = true,
                                          .depends_on_order = true};
  std::optional<double> step = {};
  std::vector<double> steps = {};  // gamma_j
  std::optional<double> resend_ms = {};
  static void fields(auto& self, auto& field) {
    field("step", self.step, "gamma_j, the same for all workers; null: 1/L, L the largest curvature of F", above(0));
    field("steps", self.steps, "gamma_j, one for each worker; an empty list: step", above(0));
    declare_resend(self, field);
  }
  void check(auto& report) const {
    if (step && !steps.empty()) report("steps", "an empty list beside step", steps);
  }
};

class AsyncBlocks final : public Algorithm {
 public:
  /// Throws Diagnosed for a loss with kinks, for a constraint, and unless there is one step for each worker.
  AsyncBlocks(const AsyncBlocksOptions& options, MethodInput given);

  void spawn(Host& host) const override;
  /// The workers report their theta_j, by the number of steps that they have taken (d_j each). The server's updates
  /// count, and it reports nothing but their number.
  std::vector<AgentId> reporters() const override { return workers_; }
  std::vector<AgentId> updaters() const override { return {server_agent}; }
  std::vector<Vector> first_report(AgentId agent) const override;
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  std::optional<Bytes> memory() const override;

 private:
  Task<> serve(Agent& me) const;
  Task<> work(Agent& me) const;
  Index rows() const { return given_.problem.X->rows(); }
  Vector start_of(AgentId worker) const;     // its block of the start        (d_j)
  Vector times_start(AgentId worker) const;  // A_j times that                (n)
  /// A_j' l'(z, y) / n, a step and its prox, and A_j theta_j.
  Cost step_work(const ColumnBlock& A) const;

  MethodInput given_;
  std::vector<AgentId> workers_;     // ascending
  std::vector<ColumnBlock> blocks_;  // A_j by agent; the server's is empty
  std::vector<double> gamma_;        // by agent; 0 where theory gives it and there are no numbers
  std::optional<Duration> resend_;
};

}  // namespace lagnet
