#include "tools/cli/deploy_options.hpp"

#include <cstdint>

#include "tools/console/option_checks.hpp"

namespace lagnet::tools {

std::function<void(const Remark&)> warner(const Console& console) {
  if (console.quiet) return {};
  return [](const Remark& one) { print_err("{}\n", one.text); };
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
}

void add_patience(CLI::App& command, double& patience_s) {
  constexpr double least = 0.1, most = 86400;
  command.add_option("--patience-s", patience_s, "give up after N seconds without another process; by default 30")
      ->check(CLI::Range(least, most))
      ->capture_default_str()
      ->option_text("S");
}

void add_talk(CLI::App& command, TalkRequest& request) {
  auto* keys =
      command.add_option("--keys", request.keys, "folder of `deploy keys`; by default PLAN.keys, if it exists")
          ->check(refuse_empty)
          ->option_text("DIR");
  command
      .add_flag("--insecure", request.is_insecure,
                "connect to other computers in plain text: anyone on the network path can read and change all messages")
      ->excludes(keys);
  command
      .add_option("--listen", request.listen,
                  "address to listen at; by default the plan's address, at which the others connect; use 0.0.0.0 in a "
                  "container or behind address translation")
      ->check(refuse_empty)
      ->option_text("ADDRESS");
}

void apply(const TalkRequest& request, PlannedAgentOptions& options) {
  options.security.is_insecure = request.is_insecure;
  if (!request.keys.empty()) options.security.keys = request.keys;
  options.listen = request.listen;
}

}  // namespace lagnet::tools
