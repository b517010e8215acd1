#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "algorithms/federated/bases/aggregator.hpp"
#include "algorithms/federated/bases/federated.hpp"
#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/interface/rate_bound.hpp"

/// Proximal gradient descent whose gradient comes from clients.
///
///     minimize over w, in a set   F(w) = f(w) + r(w),   f(w) = sum_k pi_k L_k(w),   L_k the mean loss of client k's
///     n_k samples, pi_k = n_k / n
///
///     w <- P(w - s sum_k pi_k grad L_k(w), s)
///
/// or, with `aggregation`, by another rule than the mean. P is the prox of s r at the server, or the projection on the
/// set. Converges for s < 2/L, and for s <= 1/L with F(w_t) - F* <= |w_0 - w*|^2 / (2 s t); where f is mu-strongly
/// convex the distance to w* shrinks by 1 - s mu a round. Where some clients are not asked or answer too late, the mean
/// is over those that came, a stochastic gradient, and the iterates reach only a neighborhood of the minimizer. A round
/// is one round trip, d numbers each way, and a gradient of all n_k samples at each client. Source: Beck, "First-order
/// methods in optimization" (2017), sections 10.2 to 10.6; the sum over clients is that of proximal_gradient.
namespace lagnet {

/// Traits and options of methods whose clients compute gradients at the server's point, and nothing else.
struct ServerStepOptions {
  static constexpr AlgorithmTraits traits{.server = true,
                                          .partition_by = PartitionBy::samples,
                                          .takes_regularizers = Regularizers::all,
                                          .takes_constraint = true,
                                          .timing_only = true};
  std::optional<double> L = {}, step = {};
  static void fields(auto& self, auto& field) {
    field("L", self.L, "largest curvature of f; by default that of the loss times |X|^2 / N", above(0));
    field("step", self.step, "s, step size; by default 1/L", above(0));
  }
};

struct DistributedProximalGradientOptions : ServerStepOptions {
  static constexpr std::string_view kind = "distributed_proximal_gradient";
  static constexpr std::string_view summary = "proximal or projected gradient descent on the sum of clients' gradients";
  AggregationOptions aggregation = {};
  static void fields(auto& self, auto& field) {
    ServerStepOptions::fields(self, field);
    AggregationOptions::declare(self, field);
  }
  AlgorithmTraits traits() const { return with_aggregation(ServerStepOptions::traits, aggregation); }
};

class DistributedProximalGradient : public FederatedMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, for a regularizer and a constraint at once, and for constants out of
  /// their range.
  DistributedProximalGradient(const DistributedProximalGradientOptions& options, MethodInput given)
      : DistributedProximalGradient(DistributedProximalGradientOptions::kind, options, std::move(given)) {
    aggregator_.emplace(options.aggregation, clients(), this->given());
    add_warnings(aggregator_->warnings());
  }
  Remarks remarks(const RunCounts& counts) const override;
  std::optional<RateBound> rate_bound(const ErrorScale& scale) const override;

 protected:
  /// A method of that kind, with another server.
  DistributedProximalGradient(std::string_view kind, const ServerStepOptions& options, MethodInput given);

  double s() const { return s_; }
  /// For theory; nothing where a round is another one than its.
  std::optional<ProximalStep> proximal_step() const;
  /// P(z - s sum_k q_k grad L_k(z), s), z (d), of these gradients, the q_k their weights among those that came  (d)
  Vector descend(VectorRef z, std::span<const Message> gradients) const;
  Cost descend_work(std::size_t gradients) const { return mean_work(gradients, 2 * d() + P_.flops(d()), 4); }

 private:
  Vector stepped(VectorRef z, const StateVector& g) const;  // P(z - s g, s)
  Cost step_work() const { return vector_work(2 * d() + P_.flops(d()), 2); }
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;

  ProximalMap P_;
  double s_ = 0;                          // without numbers not known
  std::optional<Aggregator> aggregator_;  // of this method alone
};

}  // namespace lagnet
