#include "tools/cli/league_command.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/files/folder_lock.hpp"
#include "sim/machine/allowance.hpp"
#include "tools/cli/python_commands.hpp"
#include "tools/console/command.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/output_options.hpp"

namespace lagnet::tools {

namespace {

/// What any of the four is asked for; a request names those that its command has.
struct LeagueRequest {
  std::string folder = "runs/league", suite, cell, picture;
  bool small = false;
  std::vector<std::string> entries, problems, profiles, runs;
  std::optional<Share> part;
  std::optional<unsigned> jobs;
  double share = 0.02;
  std::uint64_t seed = 1;
  OutputFile out;
};

void add_suite(CLI::App& command, LeagueRequest& given) {
  command.add_option("--suite", given.suite, "folder of the league's files; by default the one that comes with lagnet")
      ->check(refuse_empty)
      ->option_text("DIR");
}

void add_folder(CLI::App& command, LeagueRequest& given) {
  command.add_option("DIR", given.folder, "folder of a league")->check(refuse_empty)->capture_default_str();
}

void add_jobs(CLI::App& command, LeagueRequest& given) {
  command.add_option("--jobs", given.jobs, "cells that run in parallel, by default one for each core")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
}

/// Gives the process to Python with what all four have, and what a command has of its own.
[[noreturn]] void go_on(const char* command, const LeagueRequest& given, Json own, const Console& console) {
  Json request = {{"command", command},
                  {"folder", given.folder},
                  {"suite", given.suite.empty() ? Json(nullptr) : Json(given.suite)},
                  {"json", console.json},
                  {"quiet", console.quiet}};
  request.update(own);
  continue_in_python("league", request);
}

void add_league_run(CLI::App& league, Console& console) {
  auto given = std::make_shared<LeagueRequest>();
  auto* command = league.add_subcommand(
      "run",
      "Tune and run the methods over all problems and networks, and keep a record of each; goes on where it was");
  add_suite(*command, *given);
  command->add_flag("--small", given->small, "a part of the problems, networks and seeds, with the same numbers");
  command->add_option("--entry", given->entries, "only this method (repeatable)")
      ->allow_extra_args(false)
      ->option_text("NAME");
  command->add_option("--problem", given->problems, "only this problem (repeatable)")
      ->allow_extra_args(false)
      ->option_text("NAME");
  command->add_option("--profile", given->profiles, "only this network (repeatable)")
      ->allow_extra_args(false)
      ->option_text("NAME");
  command
      ->add_option_function<std::string>(
          "--part", [given](const std::string& text) { given->part = share_of(text); },
          "run every N-th cell alone, from the K-th on; parts may run anywhere that sees the folder")
      ->check([](const std::string& text) {
        return share_of(text) ? "" : "expected K/N, the K-th of N parts, as in 2/5, found " + text;
      })
      ->option_text("K/N");
  add_jobs(*command, *given);
  command->add_option("-o,--out", given->folder, "folder of the records, a new one or one of the same league")
      ->check(refuse_empty)
      ->capture_default_str()
      ->option_text("DIR");
  command->callback([=, &console] {
    const Json part = given->part ? Json{given->part->number, given->part->of} : Json(nullptr);
    go_on("run", *given,
          {{"small", given->small},
           {"entries", given->entries},
           {"problems", given->problems},
           {"profiles", given->profiles},
           {"part", part},
           {"jobs", given->jobs.value_or(usable_cores())}},
          console);
  });
}

void add_league_outputs(CLI::App& league, Console& console) {
  auto given = std::make_shared<LeagueRequest>();
  auto* table = league.add_subcommand(
      "table", "Write the tables of a league into its folder: runs.csv, levels.csv, league.sqlite and findings.md");
  add_folder(*table, *given);
  table->callback([=, &console] { go_on("table", *given, Json::object(), console); });

  auto* page = league.add_subcommand("page", "Write the page of a league: rankings, performance profiles, maps");
  add_folder(*page, *given);
  add_output_file(*page, given->out, "HTML file to write; by default league.html in the folder", false);
  page->add_option("--picture", given->picture, "also draw the performance profiles in time, as SVG")
      ->check(refuse_empty)
      ->option_text("FILE");
  page->add_option(
          "--runs", given->runs,
          "also run these cells again, keep their runs in the folder runs beside the page, and write a page of "
          "each, such as 'ridge/phones/*' (repeatable)")
      ->allow_extra_args(false)
      ->check(refuse_empty)
      ->option_text("CELLS");
  page->callback([=, &console] {
    check_ending("league page: -o", given->out.path, {{".html", "html"}});
    check_ending("league page: --picture", given->picture, {{".svg", "svg"}});
    go_on("page", *given,
          {{"out", given->out.path.empty() ? given->folder + "/league.html" : given->out.path},
           {"replace", given->out.replace || given->out.path.empty()},
           {"runs", given->runs},
           {"picture", given->picture.empty() ? Json(nullptr) : Json(given->picture)}},
          console);
  });
}

void add_league_verify(CLI::App& league, Console& console) {
  auto given = std::make_shared<LeagueRequest>();
  auto* command = league.add_subcommand(
      "verify",
      "Prove a league's folder: that records, tables and the league's files agree, and that a random part of the "
      "records, tuned and run again, comes out the same; a folder of tables alone will do");
  add_folder(*command, *given);
  add_suite(*command, *given);
  command->add_option("--share", given->share, "part of the records that run again, from 0 to 1")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->option_text("P");
  command->add_option("--seed", given->seed, "seed by which they are drawn")
      ->capture_default_str()
      ->check(refuse_negative);
  command->add_option("--cell", given->cell, "only this record, as PROBLEM/PROFILE/ENTRY.VARIANT")
      ->check(refuse_empty)
      ->option_text("NAME");
  add_jobs(*command, *given);
  command->callback([=, &console] {
    refuse_all_idle(*command, {"--share", "--seed"}, !given->cell.empty(), "beside --cell");
    go_on("verify", *given,
          {{"share", given->share},
           {"seed", given->seed},
           {"cell", given->cell.empty() ? Json(nullptr) : Json(given->cell)},
           {"jobs", given->jobs.value_or(usable_cores())}},
          console);
  });
}

}  // namespace

void add_league(CLI::App& app, Console& console) {
  auto* league = app.add_subcommand(
      "league", "Rank methods by time, bytes, flops and energy to an error, over standard problems and networks");
  league->require_subcommand(1);
  add_league_run(*league, console);
  add_league_outputs(*league, console);
  add_league_verify(*league, console);
}

}  // namespace lagnet::tools
