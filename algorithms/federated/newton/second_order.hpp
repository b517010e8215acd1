#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/federated/bases/composite.hpp"
#include "algorithms/local/own_function.hpp"

/// The base of methods whose clients have Hessians:
///
///     minimize over w   F(w) = sum_k pi_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,   L_k the mean loss of client k's
///     n_k samples, pi_k = n_k / n
///
/// with a loss that has second derivatives. Hessians of f_k take n_k d (d + 1) flops, n_k d + 4 n_k more with another
/// loss than the squared one, and d with b > 0.
namespace lagnet {

/// Traits of these methods, and why no message may be missing.
constexpr AlgorithmTraits second_order_traits(std::string_view every_message) {
  return {.server = true,
          .partition_by = PartitionBy::samples,
          .takes_regularizers = Regularizers::smooth,
          .square = SquareStands::in_every_f,
          .needs_curvature = true,
          .every_message = every_message,
          .timing_only = true};
}

void declare_line_search(auto& self, auto& field, const char* description) {
  field("line_search", self.line_search, description);
}

/// A line search by one exchange: clients state their values at x and at x - a p for all shares a of a ladder 1,
/// factor, factor^2, .., and the server takes the first with f(x - a p) <= f(x) - slope a g'p, up to rounding, else the
/// last.
struct StepLadder {
  double factor = 0, slope = 0;
  Index count = 0;  // of shares; 0 without a line search: the share is 1

  std::vector<double> shares() const;
};

class SecondOrderMethod : public CompositeMethod {
 public:
  /// line_search_step: the share a of the direction, where there is a line search.
  std::vector<std::string> metric_names() const override;
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  std::optional<Bytes> memory() const override;

 protected:
  /// What is asked of clients, as a message's tag.
  struct Question {
    static constexpr MessageTag gradient = 0, local_solution = 1, values = 2;
  };

  /// Throws Diagnosed, in the name of a method of that kind, for a loss without second derivatives or with several
  /// scores, a regularizer other than l2, and a constraint.
  SecondOrderMethod(std::string_view kind, const AlgorithmTraits& traits, MethodInput given, const StepLadder& ladder);
  /// Throws Diagnosed where f_k of a client may have curvature 0 and `added` is 0, too.
  void need_curved_parts(std::string_view kind, double added) const;

  OwnFunction function_of_client(AgentId k) const;
  /// The scores of a client's samples (n_k), which the squared loss's Hessian does without.
  Vector scores_for_hessian(const OwnFunction& f, VectorRef x) const {
    return f.loss.is_squared() ? Vector() : f.X.times(x);
  }
  /// sum <- the mean, by pi_k, of all the numbers that clients have sent.
  void take_mean(std::span<const Message> answers, StateVector& sum) const {
    sum.setZero();
    clients().add_mean(answers, 1, sum);
  }
  /// H^-1 g by a Cholesky factorization, which reads the lower triangle of H (d x d); NaN if H is not positive
  /// definite.
  static Vector newton_direction(const Matrix& H, VectorRef g);

  bool searches() const { return ladder_.count > 0; }
  /// f_k(x), and f_k(x - a p) for all shares a; x and p (d).
  Vector values_along(const OwnFunction& f, VectorRef x, VectorRef p) const;
  /// 2 n_k d flops, and 4 n_k for each value: the scores of x are known.
  Cost values_work(const OwnFunction& f) const;
  StateVector values(const Agent& me) const { return me.vector(1 + ladder_.count); }
  /// The share that is taken; 1 without a line search.
  double share_of(std::span<const Message> values, VectorRef g, VectorRef p) const;
  /// x, and with a line search the share that led to it (1).
  void report(Agent& me, Round t, const StateVector& x, const StateVector& share) const {
    searches() ? me.report(t, x, share) : me.report(t, x);
  }

 private:
  StepLadder ladder_;
  std::vector<DataMatrix> blocks_;  // X_k by agent; the server's is empty  (n_k x d)
};

}  // namespace lagnet
