#pragma once

#include <string>

#include "algorithms/interface/algorithm_traits.hpp"
#include "scenarios/format/compute_options.hpp"
#include "sim/world/ciphers.hpp"
#include "sim/world/compute.hpp"

namespace lagnet {

/// The compute model of the agents. Throws Diagnosed with every problem below /compute; `shown` names the file in
/// them.
ComputeModel make_compute(const ComputeOptions& options, AgentId agents, std::uint64_t seed, const std::string& shown,
                          const AlgorithmTraits& traits = {});

CipherCosts make_cipher_costs(const EncryptionOptions& options);

}  // namespace lagnet
