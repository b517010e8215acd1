#include "algorithms/peers/compressed/difference_exchange.hpp"

namespace lagnet {

DifferenceExchange::DifferenceExchange(const CompressorOptions& options, const MethodInput& given)
    : Q_(options, given), rows_(given.network.gossip), d_(given.problem.dim()) {
  Mixing(MixingOptions{}, given.network);  // which checks W
}

double choco_gamma(const NetworkFacts& network, double delta) {
  if (network.agents == 1) return 1;
  const double rho = 1 - network.gossip_rho, beta = 1 - network.gossip_lowest, beta2 = beta * beta;
  return rho * rho * delta / (16 * rho + rho * rho + 4 * beta2 + 2 * rho * beta2 - 8 * rho * delta);
}

double gamma_in_use(std::optional<double> gamma, const NetworkFacts& network, const Compressor& Q) {
  if (gamma) return *gamma;
  return network.gossip.empty() ? 0 : choco_gamma(network, Q.delta());
}

}  // namespace lagnet
