#include "tools/cli/results/commands.hpp"

#include <unistd.h>
#include <CLI/App.hpp>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/export/export_runs.hpp"
#include "scenarios/files/result_folder.hpp"
#include "tools/cli/results/compare_command.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

namespace {

struct ExportArguments {
  std::vector<std::string> folders, where;
  std::string sqlite;
  bool replace = false;
};

int export_command(const ExportArguments& given, const Console& console) {
  const bool tells = !console.quiet && !console.json && is_terminal(STDERR_FILENO);
  const auto tell = [&](std::int64_t points) {
    if (tells) print_err("\r{} points", points);
  };
  const Exported exported =
      export_runs({given.folders.begin(), given.folders.end()}, given.where, given.sqlite, tell, given.replace);
  if (tells) print_err("\r{:40}\r", "");
  const auto& [points, rows, agents, links] = exported;
  print_answer(console,
               {{"file", given.sqlite}, {"points", points}, {"rows", rows}, {"agents", agents}, {"links", links}},
               fmt::format("{}: points {}, rows {}, agents {}, links {}\n", given.sqlite, points, rows, agents, links));
  return 0;
}

}  // namespace

void add_export(CLI::App& app, Console& console) {
  auto given = std::make_shared<ExportArguments>();
  auto* command = app.add_subcommand("export", "Write runs and sweeps into a database, for queries in SQL");
  command->add_option("DIR", given->folders, "result folders of runs and sweeps")->required();
  add_where(*command, given->where);
  command
      ->add_option("--sqlite", given->sqlite,
                   "SQLite database to write, with the tables points, rows, agents, links and facts; an earlier export "
                   "loses only these tables, and other tables stay")
      ->required()
      ->check(refuse_empty)
      ->option_text("FILE REQUIRED");
  command->add_flag("--replace", given->replace, "replace any other database and all its contents");
  command->callback([given, &console] {
    check_ending("export: --sqlite", given->sqlite,
                 {{".sqlite", "sqlite"}, {".sqlite3", "sqlite"}, {".db", "sqlite"}, {".db3", "sqlite"}});
    console.exit_status = export_command(*given, console);
  });
}

}  // namespace lagnet::tools
