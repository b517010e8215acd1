#include "tools/cli/cluster/slurm_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "scenarios/estimate/estimate.hpp"
#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/sweep/plan.hpp"
#include "scenarios/tune/tuned_steps.hpp"
#include "scenarios/words/words.hpp"
#include "sim/machine/allowance.hpp"
#include "tools/cli/cluster/slurm_script.hpp"
#include "tools/console/estimate_text.hpp"
#include "tools/console/printing.hpp"
#include "tools/flags/algorithm_flag.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

/// The memory of a task that runs this number of points at once. lagnet keeps three quarters of its limit for points;
/// the rest is for the program and what it knows of all points.
Bytes memory_of_task(const Estimate& found, int points_at_once, std::size_t points) {
  constexpr Bytes of_program = Bytes{256} << 20, of_point = 8000;
  const Bytes of_points = found.memory * points_at_once;
  return of_points + of_points / 3 + of_program + of_point * static_cast<Bytes>(points);
}

Estimate estimated(const ScenarioFile& file) {
  const std::vector<Scenario> scenarios = read_points(file, sweep_points(file));
  ExperimentCache cache;
  cache.keep_at_most(memory_budget() / 2);
  // Only memory is asked for: a few points tell, and nothing need be counted or measured for long.
  return estimate(scenarios, file.shown, cache,
                  {.clock = machine_seconds, .counting_s = 1, .measuring_s = 1, .sample_s = 0.1});
}

void warn(const Console& console, const std::string& what) {
  if (!console.quiet) print_err("slurm: {}\n", what);
}

}  // namespace

int slurm_command(const RunRequest& request, const SlurmRequest& wanted, const Console& console) {
  if (request.scenario == "-") throw InputError("slurm: expected a file that every task can read, found -");
  std::vector<std::string> settings = algorithm_settings(request.algorithms);
  settings.insert(settings.end(), request.settings.begin(), request.settings.end());
  const ScenarioFile as_written = read_scenario_file(request.scenario, settings);
  if (asks_for_tuning(as_written))
    throw InputError("slurm: expected numbers for all options, found tune, which every part would search");
  const bool is_tune = !as_written.document.value("tune", Json()).is_null();
  const Estimate found = estimated(as_written);

  const fs::path scenario = canonical_path(request.scenario), out = canonical_path(request.out);
  check_replaceable(out);
  SlurmScript script{
      .name = fmt::format("lagnet-{}", scenario.stem().string()),
      .command = {fs::read_symlink("/proc/self/exe").string(), is_tune ? "tune" : "sweep", scenario.string()},
      .out = out.string(),
      .parts = static_cast<std::size_t>(wanted.tasks),
      .time = wanted.time,
      .cpus = static_cast<unsigned>(wanted.cpus),
      .memory = wanted.memory_mib ? Bytes{*wanted.memory_mib} << 20 : memory_of_task(found, wanted.cpus, found.points),
      .options = wanted.options};
  for (const std::string& setting : settings) script.command.insert(script.command.end(), {"--set", setting});
  script.command.insert(script.command.end(), {"--out", script.out, "--quiet"});

  const auto cpus = static_cast<std::size_t>(wanted.cpus);
  const std::size_t useful = (found.points + cpus - 1) / cpus;
  if (!is_tune && script.parts > useful) {
    warn(console, fmt::format("{} of {} {} enough for {}: the script has no more", counted(useful, "task"),
                              counted(cpus, "cpu"), useful == 1 ? "is" : "are", counted(found.points, "point")));
    script.parts = useful;
  }
  const std::string text = text_of(script);
  if (console.json)
    print_text(indented(Json{{"script", text},
                             {"tasks", script.parts},
                             {"points", found.points},
                             {"memory_mib", (script.memory + (1 << 20) - 1) >> 20}}));
  else
    print_text(text);
  return 0;
}

}  // namespace lagnet::tools
