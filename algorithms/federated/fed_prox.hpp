#pragma once

#include "algorithms/federated/fed_avg.hpp"

/// FedProx: federated averaging whose local steps are held back by a proximal term.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, pi_k = n_k / n
///     unless given
///
/// In a round the server sends w to the clients that take part. Each takes tau_k local steps of (sub)gradient descent
/// on
///
///     h_k(x; w) = L_k(x) + r(x) + (mu/2) |x - w|^2                                                              (2)
///
/// from w, on minibatches of its samples. That gives a gamma-inexact minimizer of h_k (definition 1), more exact with
/// more steps. The server moves by the mean change; with eta_s = 1 it takes the mean of the local models. mu = 0 is
/// fed_avg. It needs eta_c < 2 / (L + mu), L that of a client. For any mu > 0 and clients that differ the limit is off
/// the minimizer of F; a larger mu brings it nearer, and takes longer. A round is one round trip, d numbers each way.
/// Source: T. Li, Sahu, Zaheer, Sanjabi, Talwalkar, Smith, "Federated optimization in heterogeneous networks", MLSys
/// 2020, Algorithm 2, except that clients are drawn by `participation` and averaged with weights pi_k; there they are
/// drawn with probabilities pi_k and averaged with equal weights.
namespace lagnet {

struct FedProxOptions : ClientStepsOptions {
  static constexpr std::string_view kind = "fed_prox";
  static constexpr std::string_view summary = "federated averaging with a proximal term (Li et al. 2020)";
  double mu = 0;
  ServerUpdateOptions server = {};
  static void fields(auto& self, auto& field) {
    FedAvgOptions::fields(self, field);
    field("mu", self.mu, "weight of the distance to the server's model in local steps; 0: fed_avg",
          at_least(0).required());
  }
  void check(auto& report) const {
    check_local_work(*this, report);
    check_server_update(*this, report);
  }
  AlgorithmTraits traits() const { return with_server_update(ClientStepsOptions::traits(), server); }
};

/// Methods whose clients go along the gradient of h_k; mu may be 0.
class ProximalSteps : public FedAvg {
 protected:
  ProximalSteps(std::string_view kind, const ClientStepsOptions& options, const ServerUpdateOptions& server, double mu,
                MethodInput given)
      : FedAvg(kind, options, server, std::move(given)), mu_(mu) {
    add_constant("mu", mu_);
  }

  StateVector direction(const Vector& x, const Vector& g, VectorView w) const override {
    if (mu_ == 0) return FedAvg::direction(x, g, w);
    return g + *regularizer().subgradient(x) + mu_ * (x - w);  // (2)
  }
  Cost update_work() const override {
    return mu_ == 0 ? FedAvg::update_work() : FedAvg::update_work() + vector_work(3 * d(), 1);
  }

 private:
  double mu_;
};

class FedProx final : public ProximalSteps {
 public:
  /// Throws Diagnosed if the regularizer offers no subgradient.
  FedProx(const FedProxOptions& options, MethodInput given)
      : ProximalSteps(FedProxOptions::kind, options, options.server, options.mu, std::move(given)) {}

 private:
  Cost update_work() const override { return FedAvg::update_work() + vector_work(3 * d(), 1); }  // for mu = 0, too
};

}  // namespace lagnet
