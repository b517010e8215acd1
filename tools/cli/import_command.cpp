#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tools/cli/commands.hpp"
#include "tools/cli/python_commands.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/output_options.hpp"

namespace lagnet::tools {

namespace {

/// What `import` is asked for.
struct ImportRequest {
  std::string file, form;
  std::vector<std::string> settings;
  OutputFile out;
};

Json null_if_empty(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

void add_import(CLI::App& app, Console& console) {
  auto given = std::make_shared<ImportRequest>();
  auto* command = app.add_subcommand(
      "import",
      "Write a scenario from a file of another tool: a benchmark of decent-bench, a Flower app, a platform of SimGrid, "
      "a network of Shadow, a trace of mahimahi; comments say what is assumed and left out");
  command->add_option("FILE", given->file, "the file")->required()->check(refuse_empty);
  command
      ->add_option("--from", given->form,
                   "its form, by default the one that its content has: decent-bench, flower, simgrid, shadow, mahimahi")
      ->check(CLI::IsMember({"decent-bench", "flower", "simgrid", "shadow", "mahimahi"}))
      ->option_text("FORM");
  add_output_file(*command, given->out, "scenario file to write; without it, the scenario is printed", false);
  add_settings(*command, given->settings, "set a value of the scenario (repeatable), as in topology.agents=16");
  command->callback([=, &console] {
    continue_in_python("import", {{"file", given->file},
                                  {"from", null_if_empty(given->form)},
                                  {"out", null_if_empty(given->out.path)},
                                  {"replace", given->out.replace},
                                  {"set", given->settings},
                                  {"json", console.json},
                                  {"quiet", console.quiet}});
  });
}

}  // namespace lagnet::tools
