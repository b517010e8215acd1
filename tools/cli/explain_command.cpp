#include "scenarios/explain/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "scenarios/files/result_folder.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/console/heartbeat.hpp"
#include "tools/console/printing.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

int explain_command(const std::string& run, const Console& console) {
  if (!fs::is_regular_file(fs::path(run) / "summary.json"))
    throw InputError(fmt::format("{}: expected the folder of a run, found {}", run,
                                 is_result_folder(run) ? "that of a sweep: name one of its points"
                                 : fs::exists(run)     ? "something else"
                                                       : "nothing"));
  const Explanation explanation = [&] {
    Heartbeat heartbeat("explain", console.quiet, [](const std::string& line) { print_err("{}\n", line); });
    return explain(run, [&](const std::string& what) { heartbeat.step(what); });
  }();
  if (console.json)
    print_text(indented(as_json(explanation)));
  else if (!console.quiet)
    print_text(text_of(explanation));
  return 0;
}

}  // namespace

void add_explain(CLI::App& app, Console& console) {
  auto run = std::make_shared<std::string>();
  auto* command = app.add_subcommand(
      "explain",
      "Say what everybody waited for in a run: computing, queueing, transfer, latency, absence, of which agents and "
      "links, and how much sooner it would end if each were twice as fast");
  command->add_option("RUN", *run, "folder of a run, or of a point of a sweep")->required();
  add_memory_budget(*command);
  command->callback([run, &console] { console.exit_status = explain_command(*run, console); });
}

}  // namespace lagnet::tools
