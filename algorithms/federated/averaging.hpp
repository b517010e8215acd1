#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/federated/federated.hpp"

/// The base of methods in which clients take E local steps of size eta_c from the server's vector and the server moves
/// by eta_s times the mean of their changes, perhaps within a ball of radius rho.
namespace lagnet {

/// Traits and options of all these methods.
struct AveragingOptions {
  static constexpr AlgorithmTraits traits{.server = true, .partition_by = PartitionBy::samples, .timing_only = true};
  std::int64_t local_steps = 1;  // E
  std::optional<std::int64_t> batch = {};
  double client_step = 0;            // eta_c
  double server_step = 1;            // eta_s
  std::vector<double> weights = {};  // pi_k; empty: n_k / n
};
/// Declares E, the minibatches and both step sizes.
template <class Self, class Visitor>
void declare_averaging(Self& self, Visitor& field) {
  declare_local_steps(self, field);
  field("client_step", self.client_step, "eta_c, step size of the local steps: 0.1", above(0).required());
  field("server_step", self.server_step, "eta_s, factor on the mean of the clients' changes", above(0));
}

class AveragingMethod : public FederatedMethod {
 public:
  std::vector<Constant> constants() const override { return constants_; }

 protected:
  /// Throws OptionError if the start is not in the ball, where the options have one.
  template <class Options>
  AveragingMethod(const Options& options, MethodInput given, std::string_view kind = Options::kind)
      : FederatedMethod(kind, {options.local_steps, options.batch, options.weights}, std::move(given)),
        eta_c_(options.client_step),
        eta_s_(options.server_step),
        constants_{{"E", static_cast<double>(E())}, {"eta_c", eta_c_}, {"eta_s", eta_s_}} {
    if constexpr (requires { options.rho; }) rho_ = checked_radius(options.rho);
  }

  /// A client's rounds: E local steps x <- step(x, g, w) from the server's model w, g the gradient of a minibatch at x,
  /// and the change x - w as the answer (d each).
  template <class Step>
  Task<> change_by_steps(Agent& me, Step step) const;

  /// Another constant of the method, for constants().
  void add_constant(const char* name, double value) { constants_.emplace_back(name, value); }

  double eta_c() const { return eta_c_; }
  double eta_s() const { return eta_s_; }
  double rho() const { return rho_; }
  Vector prox(VectorRef v, double step) const { return prox_in_ball(regularizer(), v, step, rho_); }  // P1
  Flops prox_flops() const { return prox_in_ball_flops(regularizer(), d(), rho_); }
  /// E updates of a local model by its gradient, at these flops and passes each, and the change that is sent.
  Cost steps_work(Flops update, Index passes) const {
    return times(E(), vector_work(update, passes)) + vector_work(d(), 3);
  }

 private:
  double eta_c_, eta_s_;
  double rho_ = no_ball;
  std::vector<Constant> constants_;
};

template <class Step>
Task<> AveragingMethod::change_by_steps(Agent& me, Step step) const {
  const RowBlock& samples = clients().samples(me.id());
  return train_rounds(me, [&samples, step, this](const Message& request, const Minibatches& batches) {
    const VectorView w = request.body.view();
    StateVector x = w;
    for (Index j = 0; j < E(); ++j) x = step(x, samples.gradient(loss(), x, batches.of_step(j)), w);
    return StateVector(x - w);
  });
}

}  // namespace lagnet
