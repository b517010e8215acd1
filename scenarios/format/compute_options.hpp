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

#include "scenarios/format/distributions.hpp"
#include "scenarios/format/registry.hpp"
#include "scenarios/json/fields.hpp"
#include "sim/world/ciphers.hpp"
#include "sim/world/compute.hpp"

/// The section "compute" of a scenario: how fast the agents are, and when they are slow.
namespace lagnet {

/// Slower than this, flops take longer than simulated time can count.
constexpr double slowest_flops_per_s = 1, slowest_bytes_per_s = 1;

struct SpeedListOptions {
  static constexpr std::string_view kind = "list";
  static constexpr std::string_view summary = "the speed of each agent, one after the other";
  std::vector<double> values;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("values", self.values, "one for each agent, in flops per second: [1e9, 1e9, 2.5e8]",
          at_least(slowest_flops_per_s).required());
  }
};

struct SpeedClass {
  double share = 1;
  Choice<DistributionFamily> speed_flops_per_s;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("share", self.share, "the probability that an agent is of this class: 0.7", within(0, 1).required());
    field("speed_flops_per_s", self.speed_flops_per_s,
          "of its agents, in flops per second; a distribution is drawn for each agent: 1e9", any_value().required());
  }
};

struct SpeedClassesOptions {
  static constexpr std::string_view kind = "classes";
  static constexpr std::string_view summary = "classes of agents, of which each agent draws one";
  std::vector<SpeedClass> classes;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("classes", self.classes,
          "shares that add up to 1, each with its speed: [{\"share\": 0.7, \"speed_flops_per_s\": 1e9}, {\"share\": "
          "0.3, \"speed_flops_per_s\": 1e8}]",
          any_value().required());
  }
  template <class Report>
  void check(Report& report) const {
    double sum = 0;
    for (const SpeedClass& one : classes) sum += one.share;
    if (!(std::abs(sum - 1) <= 1e-9)) report("classes", "shares that add up to 1", sum);
  }
};

struct SpeedTraceOptions {
  static constexpr std::string_view kind = "trace";
  static constexpr std::string_view summary = "speeds that change with time, from a CSV file";
  std::string path;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("path", self.path,
          "CSV with header agent,from_s,speed_flops_per_s and ascending times for each agent, its first 0; a speed "
          "lasts until the agent's next line, and 0 stands still: \"speeds.csv\"",
          any_value().required());
  }
};

using AgentSpeeds = std::vector<std::vector<SpeedPiece>>;  // of each agent

/// Speeds of all agents: from their number and the seed. Problems are reported where the choice stands, and what is
/// then made is of no use.
struct SpeedFamily {
  static constexpr std::string_view key = "kind", called = "speed", number_kind = "constant", number_key = "value";
  using Kinds = Catalogue<AgentSpeeds, AgentId, std::uint64_t, CheckReport&>;
  static const Kinds& catalogue();
};

/// The same as drawn numbers: the speed of agent a is the draw for purpose "speed" and agent a.
template <class Options>
AgentSpeeds make_speeds(const Options& distribution, AgentId agents, std::uint64_t seed, CheckReport&) {
  AgentSpeeds speeds;
  for (AgentId a = 0; a < agents; ++a)
    speeds.push_back({{Time(), draw(distribution, Draws(seed, Purpose{"speed"}, a))}});
  return speeds;
}
AgentSpeeds make_speeds(const SpeedListOptions& options, AgentId agents, std::uint64_t seed, CheckReport& report);
AgentSpeeds make_speeds(const SpeedClassesOptions& options, AgentId agents, std::uint64_t seed, CheckReport& report);
AgentSpeeds make_speeds(const SpeedTraceOptions& options, AgentId agents, std::uint64_t seed, CheckReport& report);

struct StragglerOptions {
  double probability = 0;
  double factor = 1;
  std::optional<double> mean_rounds = 1;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("probability", self.probability, "that an agent which is not slow becomes slow in a round: 0.05",
          within(0, 1).required());
    field("factor", self.factor, "how many times as long everything takes while slow: 10", within(1, 1e6).required());
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
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    // With 100 s a number, 9e7 numbers are within simulated time.
    constexpr Limits cost_ms = within(0, 1e5);
    field("encrypt_ms", self.encrypt_ms, "to encrypt a number, in ms", cost_ms);
    field("decrypt_ms", self.decrypt_ms, "to decrypt a number, in ms", cost_ms);
    field("add_ms", self.add_ms, "to add two ciphertexts, in ms", cost_ms);
    field("cores", self.cores, "of each agent, which share the numbers of a message evenly: 4", within(1, 1e6));
  }
};
CipherCosts make_cipher_costs(const EncryptionOptions& options);

struct ComputeOptions {
  Choice<SpeedFamily> speed_flops_per_s{ConstantOptions{.value = 1e9}};
  std::optional<Choice<DistributionFamily>> memory_bandwidth_bytes_per_s;
  std::optional<StragglerOptions> straggler;
  EncryptionOptions encryption;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("speed_flops_per_s", self.speed_flops_per_s,
          "floating-point operations per second; a distribution is drawn for each agent: 1e9, or {\"kind\": "
          "\"lognormal\", \"median\": 1e9, \"sigma\": 0.5}");
    field("memory_bandwidth_bytes_per_s", self.memory_bandwidth_bytes_per_s,
          "work takes at least its bytes in memory over this; drawn for each agent; null: no limit; example: 1e10");
    field("straggler", self.straggler,
          "agents that are slow for some rounds, the same rounds for every algorithm: {\"probability\": 0.05, "
          "\"factor\": 10}");
    field("encryption", self.encryption,
          "what encryption costs algorithms that encrypt; by default Paillier as measured by Overman, Blum, Klabjan "
          "(arXiv:2210.08106) on one core; its bytes are network.ciphertext_bytes");
  }
};

/// What of the section "compute" is wrong whatever the topology: distributions that reach below 1 per second.
void check_compute(const ComputeOptions& options, Problems& problems);

/// The compute model of so many agents. Throws ScenarioError with every problem below /compute; `shown` names the file
/// in them.
ComputeModel make_compute(const ComputeOptions& options, AgentId agents, std::uint64_t seed, const std::string& shown);

}  // namespace lagnet
