#include "tools/cli/version_text.hpp"

#include <fmt/format.h>

#include "scenarios/deploy/deploy_plan.hpp"
#include "scenarios/files/version.hpp"
#include "sim/realtime/frames/frame.hpp"

namespace lagnet::tools {

std::string version_text() {
  const std::string build = build_identity().substr(version().size() + 1);
  return fmt::format("lagnet {}\nbuild {}\nformats: scenario {}, results {}, plan {}, messages and records {}",
                     version(), build.empty() ? "unknown" : build, scenario_format, results_format, DeployPlan::format,
                     Hello::protocol_version);
}

}  // namespace lagnet::tools
