#include "scenarios/assembly/make_compute.hpp"

#include <limits>

#include "scenarios/format/collect_diagnostics.hpp"

namespace lagnet {

CipherCosts make_cipher_costs(const EncryptionOptions& options) {
  return {.encrypt = Duration::milliseconds(options.encrypt_ms),
          .decrypt = Duration::milliseconds(options.decrypt_ms),
          .add = Duration::milliseconds(options.add_ms),
          .cores = options.cores};
}

ComputeModel make_compute(const ComputeOptions& options, AgentId agents, std::uint64_t seed, const std::string& shown) {
  Diagnostics diagnostics(shown);
  ComputeSpec spec;
  spec.seed = seed;
  const std::string place = "/compute/speed_flops_per_s";
  check_compute(options, diagnostics);
  CheckReport report(place, diagnostics);
  collect_diagnostics(diagnostics, place, [&] { spec.speed = options.speed_flops_per_s.make(agents, seed, report); });
  diagnostics.throw_if_any();
  if (options.memory_bandwidth_bytes_per_s)
    for (AgentId a = 0; a < agents; ++a)
      spec.memory_bandwidth_bytes_per_s.push_back(
          options.memory_bandwidth_bytes_per_s->make(Draws(seed, Purpose{"memory_bandwidth"}, a)));
  if (options.straggler)
    spec.straggler = {.probability = options.straggler->probability,
                      .factor = options.straggler->factor,
                      .mean_rounds = options.straggler->mean_rounds.value_or(std::numeric_limits<double>::infinity())};
  return ComputeModel(spec);
}

}  // namespace lagnet
