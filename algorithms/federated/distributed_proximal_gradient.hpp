#pragma once

#include "algorithms/federated/gradient_server.hpp"

/// Proximal gradient descent whose gradient comes from clients.
///
///     minimize over w, in a set   F(w) = f(w) + r(w),   f(w) = sum_k pi_k L_k(w)   (gradient_server.hpp)
///
///     w <- P(w - s sum_k pi_k grad L_k(w), s)
///
/// P is the prox of s r at the server, or the projection on the set. Converges for s < 2/L, and for s <= 1/L with
/// F(w_t) - F* <= |w_0 - w*|^2 / (2 s t); where f is mu-strongly convex the distance to w* shrinks by 1 - s mu a round.
/// A round is one round trip, d numbers each way, and a gradient of all n_k samples at each client. Source: Beck,
/// "First-order methods in optimization" (2017), sections 10.2 to 10.6; the sum over clients is that of
/// proximal_gradient.
namespace lagnet {

struct DistributedProximalGradientOptions {
  static constexpr std::string_view kind = "distributed_proximal_gradient";
  static constexpr std::string_view summary = "proximal or projected gradient descent on the sum of clients' gradients";
  static constexpr AlgorithmTraits traits{
      .server = true, .partition_by = PartitionBy::samples, .takes_constraint = true, .timing_only = true};
  std::optional<double> L = {}, step = {};
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    declare_gradient_step(self, field);
  }
};

class DistributedProximalGradient final : public GradientServer {
 public:
  /// Throws OptionError for constants out of their range, and for a problem that it cannot solve.
  DistributedProximalGradient(const DistributedProximalGradientOptions& options, MethodInput given)
      : GradientServer(DistributedProximalGradientOptions::kind, options.L, options.step, std::move(given)) {}
  std::vector<Constant> constants() const override { return {{"step", s()}}; }

 private:
  Task<> serve(Agent& me) const override;
};

}  // namespace lagnet
