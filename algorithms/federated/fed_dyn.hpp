#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/federated/bases/averaging.hpp"
#include "algorithms/federated/bases/consensus.hpp"
#include "algorithms/federated/bases/local_work.hpp"

/// FedDyn: federated learning with dynamic regularization.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, r smooth,
///     pi_k = n_k / n > 0 unless given
///
/// Client k of m keeps s_k, the server h, all 0 at first; alpha_k = alpha / (m pi_k). In a round, with A those whose
/// answers come in time:
///
///     x_k <- argmin over x of L_k(x) + r(x) - <s_k, x> + (alpha_k/2) |x - w|^2          at client k, from x = w (5.1)
///            or tau_k steps   x <- x - eta_k (grad L_k(x) + r'(x) - s_k + alpha_k (x - w))
///     s_k <- s_k - alpha_k Delta_k,   Delta_k = x_k - w                                                         (5.2)
///
/// and at the server
///
///     h <- h - (alpha/m) sum_A Delta_k,   w <- w + (1/|A|) sum_A Delta_k - h/alpha                              (5.3)
///
/// Always h = sum_k pi_k s_k. In a fixed point x_k = w, s_k = grad L_k(w) + r'(w) and h = 0, so that w is the minimizer
/// of F, for any clients and any cohorts. A client that changes s_k although its answer was not used
/// would break that for good. So it keeps the s_k of before, too, and a header of a request says in which round the
/// server used an answer of that client last: if that is not the round of its last answer, the client takes the old s_k
/// back. Steps need eta_k (L_k + alpha_k) < 2. A round is one round trip, d numbers each way. Source: Acar, Zhao,
/// Matas, Mattina, Whatmough, Saligrama, "Federated learning based on dynamic regularization", ICLR 2021, Algorithm 1,
/// for the m functions m pi_k (L_k + r), whose gradients' estimates are m pi_k s_k. With all clients and minimizers it
/// is FedPD (Zhang, Hong, Dhople, Yin, Liu, 2021) that skips no round, with eta = 1/alpha.
namespace lagnet {

enum class DynMinimizer { steps, exact, gradient };
constexpr auto spellings(DynMinimizer) {
  return std::array{Spelling{DynMinimizer::steps, "steps"}, Spelling{DynMinimizer::exact, "exact"},
                    Spelling{DynMinimizer::gradient, "gradient"}};
}

struct FedDynOptions {
  static constexpr std::string_view kind = "fed_dyn";
  static constexpr std::string_view summary = "averaging with dynamic regularization (Acar et al. 2021)";
  AlgorithmTraits traits() const {
    const bool steps = local_minimizer == DynMinimizer::steps;
    return {.server = true,
            .partition_by = PartitionBy::samples,
            .takes_regularizers = Regularizers::smooth,
            .square = steps ? SquareStands::in_every_f : SquareStands::in_subproblems,
            .server_keeps_state = true,
            .agents_keep_state = true,
            .timing_only = local_minimizer != DynMinimizer::gradient,
            .draws_work = steps && work().is_drawn()};
  }
  double alpha = 0;
  DynMinimizer local_minimizer = DynMinimizer::steps;
  std::optional<double> accuracy = {};
  std::optional<RoundCounts> local_steps = {};
  std::optional<RoundCounts> local_epochs = {};
  std::optional<std::int64_t> batch = {};
  std::optional<BatchOrder> batch_order = {};
  std::optional<double> client_step = {};  // eta
  std::vector<double> weights = {};        // pi_k; empty: n_k / n

  LocalWorkOptions work() const { return {local_steps, local_epochs, batch, batch_order}; }
  static void fields(auto& self, auto& field) {
    field("alpha", self.alpha, "weight of the distance to the server's model, alpha / (m pi_k) at client k: 0.1",
          above(0).required());
    field("local_minimizer", self.local_minimizer,
          "steps, as many as local_steps or local_epochs say; exact, for least squares alone, by a Cholesky factor; or "
          "gradient, for smooth losses, by accelerated steps");
    field("accuracy", self.accuracy,
          "for gradient: distance to the exact local minimizer, in the Euclidean norm; null: 1e-8", above(0));
    declare_local_work(self, field);
    field("client_step", self.client_step,
          "eta, step size of local steps: 0.1; theory: 1 / (L_k + alpha_k) at client k, L_k the largest curvature of "
          "its mean loss and the regularizer",
          above(0).or_word("theory"));
    declare_weights(self, field);
  }
  void check(auto& report) const {
    check_local_work(*this, report);
    if (accuracy && local_minimizer != DynMinimizer::gradient)
      report("accuracy", "none unless local_minimizer is gradient", *accuracy);
    if (local_minimizer == DynMinimizer::steps) return;
    const auto none = [&](const char* key, const auto& value) {
      if (value) report(key, "none unless local_minimizer is steps", *value);
    };
    none("local_steps", local_steps);
    none("local_epochs", local_epochs);
    none("batch", batch);
    none("client_step", client_step);
  }
};

class FedDyn final : public FederatedMethod {
 public:
  /// Throws Diagnosed for a loss with kinks or one that the local minimizer cannot handle, for a weight of 0, and for
  /// steps that do not contract.
  FedDyn(const FedDynOptions& options, MethodInput given);

  Remarks remarks(const RunCounts& counts) const override;
  std::optional<Bytes> memory() const override;

 private:
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;
  std::string_view without_answers() const override {
    return "each mean is over those that came, and a client forgets what it learned in a round that missed it";
  }
  double alpha_of(AgentId client) const;  // alpha_k
  double l2() const;                      // the curvature of r
  void set_steps(const FedDynOptions& options);

  double alpha_;
  DynMinimizer minimizer_;
  LocalWork work_;
  std::vector<double> eta_ = {};             // eta_k, by agent; empty without numbers
  std::vector<DataMatrix> blocks_ = {};      // A_k by agent, of exact minimizers    (n_k x d)
  std::vector<SmoothProx> minimizers_ = {};  // by client, of inexact ones
};

}  // namespace lagnet
