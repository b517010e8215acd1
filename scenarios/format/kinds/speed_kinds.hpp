#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/kinds/distributions.hpp"
#include "sim/world/compute.hpp"

/// The kinds of speeds: drawn, listed, by classes, or from a trace.
namespace lagnet {

/// Slower than this, flops take longer than simulated time can count.
constexpr double slowest_flops_per_s = 1, slowest_bytes_per_s = 1;

struct SpeedListOptions {
  static constexpr std::string_view kind = "list";
  static constexpr std::string_view summary = "the speed of each agent, listed";
  std::vector<double> values;
  static void fields(auto& self, auto& field) {
    field("values", self.values, "one for each agent, in flops per second: [1e9, 1e9, 2.5e8]",
          at_least(slowest_flops_per_s).required());
  }
};

struct SpeedClass {
  double share = 1;
  Choice<DistributionFamily> speed_flops_per_s;
  static void fields(auto& self, auto& field) {
    field("share", self.share, "probability that an agent is of this class: 0.7", within(0, 1).required());
    field("speed_flops_per_s", self.speed_flops_per_s,
          "speed of its agents, in flops per second; a distribution is drawn for each agent: 1e9",
          any_value().required());
  }
};

struct SpeedClassesOptions {
  static constexpr std::string_view kind = "classes";
  static constexpr std::string_view summary = "classes of speeds; each agent draws one";
  std::vector<SpeedClass> classes;
  static void fields(auto& self, auto& field) {
    field("classes", self.classes,
          "shares that add up to 1, each with its speed: [{\"share\": 0.7, \"speed_flops_per_s\": 1e9}, {\"share\": "
          "0.3, \"speed_flops_per_s\": 1e8}]",
          any_value().required());
  }
  void check(auto& report) const {
    double sum = 0;
    for (const SpeedClass& one : classes) sum += one.share;
    if (!(std::abs(sum - 1) <= 1e-9)) report("classes", "shares that add up to 1", sum);
  }
};

struct SpeedTraceOptions {
  static constexpr std::string_view kind = "trace";
  static constexpr std::string_view summary = "speeds that change with time, from a CSV file";
  std::filesystem::path path;
  static void fields(auto& self, auto& field) {
    field("path", self.path,
          "CSV file with the header agent,from_s,speed_flops_per_s; times ascend for each agent, from 0; a speed lasts "
          "until the agent's next line; an agent with speed 0 pauses: \"speeds.csv\"",
          any_value().required());
  }
};

using AgentSpeeds = std::vector<std::vector<SpeedPiece>>;  // of each agent

/// Makes the speeds of all agents, from their number and the seed. Diagnostics are reported at the place of the choice;
/// the result is then useless.
struct SpeedFamily {
  static constexpr std::string_view key = "kind", called = "speed", number_kind = "constant", number_key = "value";
  using Kinds = Catalogue<AgentSpeeds, AgentId, std::uint64_t, CheckReport&>;
  static const Kinds& catalogue();
};

}  // namespace lagnet
