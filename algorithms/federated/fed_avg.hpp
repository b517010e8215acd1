#pragma once

#include "algorithms/federated/averaging.hpp"

/// Federated averaging.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, pi_k = n_k / n
///     unless given
///
/// In a round the server sends w to the clients S that take part. Each takes E local steps of (sub)gradient descent
/// from there, on minibatches of its samples, and returns its change; the server moves by the mean change. With E = 1,
/// full batches, all clients and eta_s = 1 this is gradient descent, which converges when eta_c < 2/L. With E > 1 and
/// clients that differ, the limit is off the minimizer of F by the order of eta_c (E - 1). Subgradients make no
/// coefficient exactly zero. Sources: McMahan, Moore, Ramage, Hampson, Aguera y Arcas, "Communication-efficient
/// learning of deep networks from decentralized data", 2017, Algorithm 1 (eta_s = 1); eta_s as in Karimireddy et al.,
/// "SCAFFOLD", 2020.
namespace lagnet {

struct FedAvgOptions : AveragingOptions {
  static constexpr std::string_view kind = "fed_avg";
  static constexpr std::string_view summary = "federated averaging of clients' local steps (McMahan et al. 2017)";
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    declare_averaging(self, field);
    declare_weights(self, field);
  }
};

class FedAvg : public AveragingMethod {
 public:
  /// Throws OptionError if the regularizer offers no subgradient.
  FedAvg(const FedAvgOptions& options, MethodInput given) : FedAvg(FedAvgOptions::kind, options, std::move(given)) {}

 protected:
  /// A method whose clients take other local steps; `kind` names it.
  FedAvg(std::string_view kind, const AveragingOptions& options, MethodInput given);

  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;
  /// A round takes E (c_g + 2 d) + d flops, c_g those of a minibatch's gradient, and in each step the subgradient's, 2
  /// d for each term of an elastic net.
  Cost own_work(Round) const override { return steps_work(2 * d() + regularizer().subgradient_flops(d()), 3); }
  Cost server_work(std::size_t answers) const override { return mean_work(answers, 0, 2); }  // 2 m d flops
};

/// Throws OptionError if the regularizer offers no subgradient; `kind` names the algorithm that needs one.
void need_subgradient(const Problem& problem, std::string_view kind);

}  // namespace lagnet
