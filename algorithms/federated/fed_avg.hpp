#pragma once

#include "algorithms/federated/bases/client_steps.hpp"
#include "algorithms/federated/bases/server_update.hpp"

/// Federated averaging.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, pi_k = n_k / n
///     unless given
///
/// In a round the server sends w to the clients S that take part. Each takes tau_k local steps of (sub)gradient descent
/// from there, on minibatches of its samples (bases/local_work.hpp), and returns its change; the server moves by the
/// mean change, or by momentum or an adaptive rule (bases/server_update.hpp). With tau_k = 1, full batches, all clients
/// and eta_s = 1 this is gradient descent, which converges when eta_c < 2/L. With tau_k = E > 1 and clients that
/// differ, the limit is off the minimizer of F by the order of eta_c (E - 1); with tau_k that differ it is near that of
/// sum_k (pi_k tau_k / sum_j pi_j tau_j) L_k + r. Subgradients make no coefficient exactly zero. Sources: McMahan,
/// Moore, Ramage, Hampson, Aguera y Arcas, "Communication-efficient learning of deep networks from decentralized data",
/// 2017, Algorithm 1 (eta_s = 1); eta_s as in Karimireddy et al., "SCAFFOLD", 2020.
namespace lagnet {

struct FedAvgOptions : ClientStepsOptions {
  static constexpr std::string_view kind = "fed_avg";
  static constexpr std::string_view summary = "federated averaging of clients' local steps (McMahan et al. 2017)";
  ServerUpdateOptions server = {};
  static void fields(auto& self, auto& field) {
    declare_client_steps(self, field);
    declare_server_update(self, field);
    declare_weights(self, field);
  }
  void check(auto& report) const {
    check_local_work(*this, report);
    check_server_update(*this, report);
  }
  AlgorithmTraits traits() const { return with_server_update(ClientStepsOptions::traits(), server); }
};

class FedAvg : public ClientStepsMethod {
 public:
  /// Throws Diagnosed if the regularizer offers no subgradient.
  FedAvg(const FedAvgOptions& options, MethodInput given)
      : FedAvg(FedAvgOptions::kind, options, options.server, std::move(given)) {}
  Remarks remarks(const RunCounts& counts) const override { return all_of(update_.remarks(), counts); }

 protected:
  /// A method whose clients go along another direction; `kind` names it.
  FedAvg(std::string_view kind, const ClientStepsOptions& options, const ServerUpdateOptions& server, MethodInput given)
      : ClientStepsMethod(kind, options, std::move(given)), update_(server, clients(), this->given(), eta_s()) {
    add_warnings(update_.warnings());
  }

  /// The direction of a local step from x, with the gradient g there and the server's model w  (d)
  virtual StateVector direction(const Vector& x, const Vector& g, [[maybe_unused]] VectorView w) const {
    return g + *regularizer().subgradient(x);
  }
  virtual Cost update_work() const { return descent_work(); }

  Task<> train(Agent& me) const override;
  /// A client's steps from w (d): its change x - w  (d)
  void local_steps(AgentId client, VectorView w, const Minibatches& batches, StateVector& x) const;

 private:
  Task<> serve(Agent& me) const override;

  ServerUpdate update_;
};

}  // namespace lagnet
