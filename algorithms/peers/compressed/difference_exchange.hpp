#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/interface/compression.hpp"
#include "algorithms/peers/bases/mixing.hpp"

/// Shared parts of peers that keep a copy h_i of their neighbors' knowledge of a vector, and the mix of all these
/// copies, and update both by compressed differences:
///
///     q_i = Q(v_i - h_i),   h_i += q_i,   hw_i += w_ii q_i + sum over neighbors j of w_ij q_j
///
/// Then hw = W h at all times, if every message arrives once.
namespace lagnet {

class DifferenceExchange {
 public:
  /// `network` must have its gossip matrix. Throws Diagnosed for a compressor that cannot be, and where gossip does
  /// not reach everybody.
  DifferenceExchange(const CompressorOptions& options, const MethodInput& given);

  const Compression& Q() const { return Q_; }

  /// Sends decoded vectors (d each), all in one message, and gives q -> w_ii q_i + sum_j w_ij q_j, one after the other.
  template <class... Vectors>
  auto mix(Agent& me, const Vectors&... q) const {
    return me.neighbor_mix(Q_.payload(me, q...), gossip_row(rows_, me));
  }

  /// `dense` flops for each of d entries, `kept` for each of the nz numbers of a decoded vector, for this many
  /// compressions; `vectors` is the number of vectors that are read or written.
  Cost work(Index dense, Index kept, Index compressions, Index vectors) const {
    return {dense * d_ + kept * Q_.kept() + compressions * Q_.flops(), Bytes{sizeof(double)} * vectors * d_};
  }

 private:
  Compression Q_;
  std::vector<GossipRow> rows_;
  Index d_;
};

/// gamma, the step of the averaging: an option that must be given, with null for that of theory.
void declare_gamma(auto& self, auto& field) {
  field("gamma", self.gamma,
        "gamma, how far agents move towards the mix; null: that of theory, which is safe and very slow",
        above_to(0, 1).required());
}

/// gamma* = rho^2 delta / (16 rho + rho^2 + 4 beta^2 + 2 rho beta^2 - 8 rho delta), rho = 1 - |lambda_2(W)|, beta =
/// |I - W|_2: Koloskova, Stich, Jaggi 2019, theorem 2. For one agent 1.
double choco_gamma(const NetworkFacts& network, double delta);
/// gamma where it is given, else that of theory; 0 of a timing-only fleet, for which W is not computed.
double gamma_in_use(std::optional<double> gamma, const NetworkFacts& network, const Compressor& Q);

}  // namespace lagnet
