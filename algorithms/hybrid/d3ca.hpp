#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/hybrid/hybrid.hpp"

/// D3CA, dual coordinate ascent where clients have the cells of a grid of samples x features.
///
///     minimize over w   P(w) = (lambda/2) ||w||^2 + (1/N) sum_i l_i(w'x_i)
///     maximize over a   D(a) = -(lambda/2) ||w(a)||^2 - (1/N) sum_i l_i*(-a_i),   w(a) = (1/(lambda N)) sum_i a_i x_i
///
/// P groups of samples and Q groups of features; client [p,q] holds the features x_{q,i} of group q of the samples i of
/// group p. In an iteration each client takes H coordinate steps, one after the other, on its part of D, the square of
/// its own features and 1/Q of the conjugates, with copies of its duals a_p and of its part w_q:
///
///     d = argmax over d of  -(lambda N / 2) ||w_q + d x_{q,i} / (lambda N)||^2 - l_i*(-(a_i + d)) / Q           (1)
///     a_i <- a_i + d,   w_q <- w_q + d x_{q,i} / (lambda N)                                                     (2)
///     a_p <- a_p + (1/(P Q)) sum_q of the changes of client [p,q]                                              (3)
///     w_q <- (1/(lambda N)) sum_p of the sums of a_i x_{q,i} of client [p,q]                                    (4)
///
/// No client sees a whole score w'x_i: in (1), Q times its own part stands in its place. So the optimum is a fixed
/// point where every dual is at an end of its range, as with a large lambda, but not in general: with a small one the
/// method stops above it, and nothing is proved. With one group of features it is CoCoA. Two round trips an iteration,
/// n_p and m_q numbers each way. Source: A. Nathan, D. Klabjan, "Optimization for Large-Scale Machine Learning with
/// Distributed Features and Observations", arXiv:1610.10060, without its step size in the place of ||x_{q,i}||^2.
namespace lagnet {

struct D3caOptions : InnerIterations {
  static constexpr std::string_view kind = "d3ca";
  static constexpr std::string_view summary =
      "dual coordinate ascent on a grid of samples x features, D3CA (Nathan, Klabjan 2017)";
  static constexpr AlgorithmTraits traits{.server = true,
                                          .partition_by = PartitionBy::cells,
                                          .takes_regularizers = Regularizers::all,
                                          .square = SquareStands::in_subproblems,
                                          .needs_conjugate = true,
                                          .every_message = "d3ca averages over all clients",
                                          .timing_only = true};
};

class D3ca final : public HybridMethod {
 public:
  /// Throws Diagnosed for clients that form no grid.
  D3ca(const D3caOptions& options, MethodInput input);
  void spawn(Host& host) const override;
  /// The server reports w (M) and a (N), for both of which (4) holds.
  std::vector<std::string> metric_names() const override { return {"relative_loss", "dual_objective", "duality_gap"}; }
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& scale) const override;

 private:
  Task<> serve(Agent& me) const;
  Task<> ascend(Agent& me) const;  // a client
  std::string_view without_answers() const override { return "which its averages do not allow"; }

  enum Sent : MessageTag { duals = 1, primal = 2 };  // changes of duals or these; sums for w, or w
  Index P_ = 0, Q_ = 0;                              // groups of samples, and of features
};

}  // namespace lagnet
