#include "tools/cli/deploy_options.hpp"

#include <cstdint>

namespace lagnet::tools {

std::function<void(const std::string&)> warner(const Console& console) {
  if (console.quiet) return {};
  return [](const std::string& text) { print_err("{}\n", text); };
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
}

void add_patience(CLI::App& command, double& patience_s) {
  constexpr double least = 0.1, most = 86400;
  command.add_option("--patience-s", patience_s, "give up after so long without another process, in s")
      ->check(CLI::Range(least, most))
      ->capture_default_str()
      ->option_text("S");
}

void add_insecure(CLI::App& command, bool& is_insecure) {
  command.add_flag("--insecure", is_insecure,
                   "talk to other computers in plain text: whoever is on the way can read and change all messages");
}

}  // namespace lagnet::tools
