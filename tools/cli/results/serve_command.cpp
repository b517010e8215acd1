#include "tools/cli/results/commands.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "tools/cli/results/report_command.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/printing.hpp"
#include "tools/serve/serve.hpp"

namespace lagnet::tools {

namespace fs = std::filesystem;

namespace {

/// Serves a folder's page until a signal ends the program.
int serve_command(const ServeOptions& options, const Console& console) {
  const ReportTexts texts = page_texts("serve");
  // Says what is wrong with a folder that nothing is going to fill.
  if (!options.ends_with_input && !fs::exists(partial_of(canonical_path(options.folder))))
    read_recorded_runs({options.folder});
  const auto tell = [&](const std::string& url) {
    if (console.json)
      print_text(indented(Json{{"folder", options.folder}, {"url", url}}));
    else
      print_out("{}\n", url);
    flush_output();
  };
  try {
    serve(texts, options, tell);
  } catch (const std::invalid_argument& wrong) {
    throw InputError(fmt::format("serve: --address: expected an IP address, found {}", wrong.what()));
  } catch (const std::system_error& error) {
    throw InputError(fmt::format("serve: cannot listen at port {} of {}: {}", options.port, options.address,
                                 error.code().message()));
  }
  return 0;
}

}  // namespace

void add_serve(CLI::App& app, Console& console, const std::string& typed) {
  auto given = std::make_shared<ServeOptions>();
  given->command = typed;
  auto* command = app.add_subcommand("serve",
                                     "Show the page of a report in a browser while a run or a sweep fills the folder: "
                                     "rows of unfinished runs, finished points, the best so far, the time left and a "
                                     "button that stops it as Ctrl-C does; print the page's address");
  command->add_option("DIR", given->folder, "result folder, complete or not")->required()->check(refuse_empty);
  command->add_option("--port", given->port, "port to listen at; by default any free port")
      ->check(CLI::Range(0, 65535))
      ->option_text("N");
  command
      ->add_option("--address", given->address,
                   "IP address to listen at, by default 127.0.0.1; at another one, other machines can read the results "
                   "at the printed address, over an unencrypted connection")
      ->check(refuse_empty)
      ->option_text("IP");
  command->add_flag("--ends-with-input", given->ends_with_input,
                    "end when standard input ends, for programs that start it; the folder may appear later");
  command->callback([given, &console] { console.exit_status = serve_command(*given, console); });
}

}  // namespace lagnet::tools
