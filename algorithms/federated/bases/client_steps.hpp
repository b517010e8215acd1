#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/federated/bases/averaging.hpp"
#include "algorithms/federated/bases/local_work.hpp"
#include "algorithms/federated/bases/selector.hpp"

/// The base of methods whose clients take local steps of size eta_c, as many as local_work.hpp says, and whose server
/// moves by eta_s times what follows from their changes.
namespace lagnet {

/// Traits and options of all these methods.
struct ClientStepsOptions {
  std::optional<RoundCounts> local_steps = {};
  std::optional<RoundCounts> local_epochs = {};
  std::optional<std::int64_t> batch = {};
  std::optional<BatchOrder> batch_order = {};
  std::optional<double> client_step = {};  // eta_c
  double server_step = 1;                  // eta_s
  std::vector<double> weights = {};        // pi_k; empty: n_k / n

  LocalWorkOptions work() const { return {local_steps, local_epochs, batch, batch_order}; }
  AlgorithmTraits traits() const {
    AlgorithmTraits all = AveragingOptions::traits;
    all.draws_work = work().is_drawn();
    return all;
  }
  void check(auto& report) const { check_local_work(*this, report); }
};
void declare_client_steps(auto& self, auto& field) {
  declare_local_work(self, field);
  declare_step_sizes(self, field);
}

class ClientStepsMethod : public AveragingMethod {
 protected:
  /// Throws Diagnosed if the regularizer offers no subgradient.
  ClientStepsMethod(std::string_view kind, const ClientStepsOptions& options, MethodInput given,
                    Index longest_message = 1)
      : AveragingMethod(kind, {.weights = options.weights, .longest_message = longest_message}, std::move(given)),
        work_(options.work(), this->given(), clients()),
        selector_(this->given(), clients()) {
    set_steps(options.client_step, options.server_step, work_.most_steps(), work_.is_even());
    add_warnings(work_.warnings());
    need_subgradient(kind);
  }

  const Selector& selector() const { return selector_; }
  /// Remarks of every method of a server, and these.
  Remarks all_of(const Remarks& more, const RunCounts& counts) const {
    Remarks all = AveragingMethod::remarks(counts);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// A client's minibatches: of its steps in a round, and of `more` gradients after them.
  Minibatches minibatches(const Agent& me, Round round, Index more = 0) const {
    return work_.minibatches(me, round, more);
  }
  /// Of a step along a gradient and a subgradient: 2 d flops and the subgradient's, 2 d for each term of an elastic
  /// net.
  Cost descent_work() const { return vector_work(2 * d() + regularizer().subgradient_flops(d()), 3); }

 private:
  LocalWork work_;
  Selector selector_;
};

}  // namespace lagnet
