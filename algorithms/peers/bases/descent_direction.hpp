#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/kernels/minibatches.hpp"
#include "algorithms/peers/bases/peers.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Options of methods whose gradients may be of minibatches, and gain momentum.
struct DirectionOptions {
  std::optional<std::int64_t> batch = {};
  double momentum = 0;
  static void fields(auto& self, auto& field) {
    field("batch", self.batch,
          "samples of a gradient, drawn without replacement; null, or as many as an agent has: all", at_least(1));
    field(
        "momentum", self.momentum,
        "u <- momentum u + gradient takes the place of the gradient, from u = 0, without more messages; the step that "
        "theory gives is then times 1 - momentum",
        Limits{.low = 0, .high = 1, .high_excluded = true});
  }
  /// The factor of theory's step.
  double without_momentum() const { return 1 - momentum; }
};

/// What an agent steps along: u <- momentum u + g, g the gradient of f_i, or of some of its samples.
class DescentDirection {
 public:
  /// All must outlive this.
  DescentDirection(const PeerAlgorithm& method, const DirectionOptions& options, const Agent& me);
  /// Draws the batch of the gradient of round t, 0 for the one before round 1, and gives the cost of u.
  Cost draw(Round t);
  /// u at the point x (d), in a kernel.
  Vector at(VectorRef x);

 private:
  const PeerAlgorithm& method_;
  const DirectionOptions options_;
  const Agent& me_;
  Minibatches batch_;
  StateVector u_;  // the last one, of those with momentum (d)
};

}  // namespace lagnet
