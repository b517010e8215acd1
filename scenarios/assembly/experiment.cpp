#include "scenarios/assembly/experiment.hpp"

#include <utility>

namespace lagnet {

SimulationOptions Experiment::simulation_options(unsigned threads, bool timing_only) const {
  SimulationOptions options{.seed = scenario.seed, .threads = threads};
  if (scenario.stop.simulated_s) options.end = Time() + Duration::seconds(*scenario.stop.simulated_s);
  options.wire = {.bytes_per_scalar = scenario.network.bytes_per_scalar, .header_bytes = scenario.network.header_bytes};
  if (data->X.rows() != data->samples) {
    options.wire.rows_held = data->X.rows();
    options.wire.rows_billed = data->samples;
  }
  options.wire.index_bytes = scenario.network.index_bytes.value_or(0);
  options.wire.ciphertext_bytes = scenario.network.ciphertext_bytes;
  options.wire.model_bytes = scenario.network.model_bytes.value_or(0);
  options.wire.model_scalars = problem.dim();
  options.model = model;
  options.timing_only = timing_only;
  return options;
}

std::unique_ptr<Simulation> Experiment::simulation(unsigned threads, bool timing_only) const {
  auto world = std::make_unique<Simulation>(*network, *compute, simulation_options(threads, timing_only));
  algorithm->spawn(*world);
  return world;
}

}  // namespace lagnet
