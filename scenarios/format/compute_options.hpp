#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/kinds/clock_kinds.hpp"
#include "scenarios/format/kinds/speed_kinds.hpp"
#include "scenarios/json/fields.hpp"

/// The section "compute" of a scenario: how fast the agents are, and when they are slow.
namespace lagnet {

struct StragglerOptions {
  double probability = 0;
  double factor = 1;
  std::optional<double> mean_rounds = 1;
  static void fields(auto& self, auto& field) {
    field("probability", self.probability, "probability that an agent which is not slow becomes slow in a round: 0.05",
          within(0, 1).required());
    field("factor", self.factor, "factor on the duration of everything while slow: 10", within(1, 1e6).required());
    field(
        "mean_rounds", self.mean_rounds,
        "mean number of rounds that an agent stays slow, which is geometric; 1: that round alone, whatever the rounds "
        "around it; null: to the end of the run",
        at_least(1));
  }
};

/// The time that an additively homomorphic scheme takes: CipherCosts in a scenario's units.
struct EncryptionOptions {
  double encrypt_ms = 18.882, decrypt_ms = 18.865, add_ms = 0.054;
  std::int64_t cores = 1;
  static void fields(auto& self, auto& field) {
    // With 100 s a number, 9e7 numbers are within simulated time.
    constexpr Limits cost_ms = within(0, 1e5);
    field("encrypt_ms", self.encrypt_ms, "time to encrypt a number, in ms", cost_ms);
    field("decrypt_ms", self.decrypt_ms, "time to decrypt a number, in ms", cost_ms);
    field("add_ms", self.add_ms, "time to add two ciphertexts, in ms", cost_ms);
    field("cores", self.cores, "cores of each agent, which share the numbers of a message evenly: 4", within(1, 1e6));
  }
};

struct ComputeOptions {
  Choice<SpeedFamily> speed_flops_per_s{ConstantOptions{.value = 1e9}};
  std::optional<Choice<DistributionFamily>> memory_bandwidth_bytes_per_s;
  std::optional<StragglerOptions> straggler;
  Json update_ms;
  Choice<ClockFamily> clock{FreeClockOptions()};
  EncryptionOptions encryption;
  static void fields(auto& self, auto& field) {
    field("speed_flops_per_s", self.speed_flops_per_s,
          "floating-point operations per second; a distribution is drawn for each agent: 1e9, or {\"kind\": "
          "\"lognormal\", \"median\": 1e9, \"sigma\": 0.5}");
    field("memory_bandwidth_bytes_per_s", self.memory_bandwidth_bytes_per_s,
          "bytes per second: work takes at least its bytes of memory divided by this; drawn for each agent; null: no "
          "limit; example: 1e10");
    field("straggler", self.straggler,
          "agents that are slow for some rounds, the same rounds for every algorithm: {\"probability\": 0.05, "
          "\"factor\": 10}");
    field("update_ms", self.update_ms,
          "measured time of an update, in ms, in place of flops divided by speed: an update is what an agent computes "
          "in a round, or for an answer to a server; other computations take no time. A number, or a list with one for "
          "each agent but "
          "the server: 100, or [100, 120, 900]; an inner list has the times of that agent's updates in turn, and "
          "repeats: "
          "[[90, 110], 120, 900]",
          any_value());
    field("clock", self.clock,
          "when agents of asynchronous methods begin an update, the same ticks for every method; a tick that passes "
          "while "
          "an agent is down or busy is missed: {\"kind\": \"poisson\", \"mean_ms\": 100}");
    field("encryption", self.encryption,
          "time that encryption costs algorithms that encrypt; by default Paillier as measured by Overman, Blum, "
          "Klabjan (arXiv:2210.08106) on one core; network.ciphertext_bytes has the size");
  }
};

/// Reports problems of the section "compute" for any topology: distributions that reach below 1 per second.
void check_compute(const ComputeOptions& options, Diagnostics& diagnostics);

}  // namespace lagnet
