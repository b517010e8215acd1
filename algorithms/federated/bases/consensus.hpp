#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/federated/bases/clients.hpp"
#include "algorithms/local/local_fits.hpp"
#include "sim/base/options.hpp"

/// The two halves of consensus ADMM with scaled multipliers u_k, rho the weight of disagreement: a client's step
///
///     x_k <- argmin over x of pi_k L_k(x) + (rho/2) |x - z + u_k|^2
///
/// and the server's mean of what clients sent last, x_k + u_k. A step is exact for least squares, by a Cholesky factor
/// that is made before the first one (RidgeSystem), else within a stated distance of the exact one
/// (SmoothProx).
namespace lagnet {

enum class LocalMinimizer { exact, gradient };
constexpr auto spellings(LocalMinimizer) {
  return std::array{Spelling{LocalMinimizer::exact, "exact"}, Spelling{LocalMinimizer::gradient, "gradient"}};
}

void declare_local_minimizer(auto& self, auto& field) {
  field("local_minimizer", self.local_minimizer,
        "exact, for least squares alone, by a Cholesky factor; or gradient, for smooth losses, by accelerated steps");
  field("accuracy", self.accuracy,
        "for gradient: distance to the exact local minimizer, in the Euclidean norm; null: 1e-8", above(0));
}
/// Reports an accuracy of exact minimizers.
void check_accuracy(const auto& self, auto& report) {
  if (self.accuracy && self.local_minimizer == LocalMinimizer::exact)
    report("accuracy", "none with exact local minimizers", *self.accuracy);
}
constexpr double default_accuracy = 1e-8;
/// Throws Diagnosed for a loss that this local minimizer cannot handle.
void check_minimizer(LocalMinimizer minimizer, const Loss& loss);

/// How the clients of one method minimize.
class LocalMinimizers {
 public:
  /// The loss has a gradient. Both must outlive it.
  LocalMinimizers(LocalMinimizer kind, double accuracy, const MethodInput& given, const Clients& clients, double rho);

  bool are_exact() const { return !blocks_.empty(); }
  /// The memory of factors and blocks, if there are any.
  Bytes memory() const;

 private:
  friend class ConsensusClient;

  const Problem& problem_;
  const Clients& clients_;
  const std::vector<Index>& starts_;  // of the clients' rows, by agent
  double n_rho_;
  std::vector<DataMatrix> blocks_;      // A_k by agent, where steps are exact; the server's is empty  (n_k x d)
  std::vector<SmoothProx> minimizers_;  // by client, where they are not
};

/// A client's state, and its step.
class ConsensusClient {
 public:
  ConsensusClient(const LocalMinimizers& minimizers, const Agent& me);

  /// Before the first step; nothing where steps are not exact.
  void factor();
  Cost factor_work() const;
  /// Changes the multiplier for a new z (d), if there is an x, and then x.
  void step(VectorView z);
  Cost step_work() const;
  /// The cost of the last step beside that: of the gradients of an inexact one.
  Cost more() const { return more_; }

  StateVector x;  // own iterate                            (d)
  StateVector u;  // multiplier of x_k = z, over rho        (d)

 private:
  const LocalMinimizers& minimizers_;
  AgentId k_;
  std::optional<RidgeSystem> system_;  // A_k'A_k + n rho I, of exact steps
  Vector A_y_;                         // A_k'y_k                                 (d)
  StateVector v_;                      // z - u, where the local loss is minimized (d)
  Cost more_;
};

/// The clients' last messages, and their mean.
class NewestAnswers {
 public:
  NewestAnswers(const Agent& me, Index agents, Index d);
  /// Each of these answers (d), in the order that they have, replaces what its sender sent before; the mean then (d).
  const StateVector& mean_with(std::span<const Message> answers);
  double N() const { return N_; }  // how many clients ever answered

 private:
  std::vector<Vector> newest_;  // by agent; empty: none yet  (d)
  StateVector sum_, mean_;      // of them                    (d)
  double N_ = 0;
};

}  // namespace lagnet
