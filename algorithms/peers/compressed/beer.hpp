#pragma once

#include <string_view>

#include "algorithms/peers/bases/peers.hpp"
#include "algorithms/peers/compressed/difference_exchange.hpp"

/// BEER: gradient tracking with compressed differences.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
///     X += gamma (Hw - H) - eta V                                              (1)
///     V += gamma (Gw - G) + grad f(X_new) - grad f(X_old)                      (2)
///     qh = Q(X - H), then qg = Q(V - G), in one message                        (3)
///     H += qh,   Hw += W qh,   G += qg,   Gw += W qg                           (4)
///
/// from X = 0, V = grad f(0) and H = Hw = G = Gw = 0; a row of X is an agent's vector. V and the gradients have the
/// same sum over the agents at all times, Hw = W H and Gw = W G. Linear convergence for strongly convex F and any
/// contractive Q, for gamma of the order of delta and eta of that of gamma / L; theory's constants are too small to
/// use. A message has two vectors. Source: H. Zhao, B. Li, Z. Li, P. Richtarik, Y. Chi, "BEER: Fast O(1/T) rate for
/// decentralized nonconvex optimization with communication compression", NeurIPS 2022, algorithm 1.
namespace lagnet {

struct BeerOptions {
  static constexpr std::string_view kind = "beer";
  static constexpr std::string_view summary =
      "gradient tracking with compressed differences, for biased compressors (Zhao et al. 2022)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_regularizers = Regularizers::smooth,
                                          .takes_even_weights = true,
                                          .every_message = "beer sends differences that must arrive once",
                                          .timing_only = true};
  double step = 0;   // eta
  double gamma = 0;  // of both mixings
  CompressorOptions compressor = {};
  static void fields(auto& self, auto& field) {
    field("step", self.step, "eta, step size: 0.1/L to 0.2/L, L the largest curvature of any f_i", above(0).required());
    field("gamma", self.gamma, "how far agents move towards the mix: 0.2 where 1 or 2 entries of 10 are kept",
          above_to(0, 1).required());
    CompressorOptions::declare(self, field);
  }
};

class Beer final : public PeerAlgorithm {
 public:
  Beer(const BeerOptions& options, MethodInput input);

 private:
  Task<> run(Agent& me) const override;

  const BeerOptions options_;
  const DifferenceExchange exchange_;
};

}  // namespace lagnet
