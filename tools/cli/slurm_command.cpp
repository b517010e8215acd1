#include "tools/cli/slurm_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <utility>

#include "scenarios/estimate/estimate.hpp"
#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/pattern.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/sweep/plan.hpp"
#include "scenarios/tune/tuned_steps.hpp"
#include "scenarios/words/words.hpp"
#include "sim/machine/allowance.hpp"
#include "tools/console/estimate_text.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/shell_word.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

/// What a job script is made of.
struct SlurmScript {
  std::string name;                  // of the job
  std::vector<std::string> command;  // of lagnet, which also takes --part: program, then arguments
  std::string out;                   // the result folder that it writes, as an absolute path
  std::size_t parts = 1;             // that run in an array of jobs
  std::string time;                  // limit of a task, as sbatch takes it
  unsigned cpus = 1;                 // of a task
  Bytes memory = 0;                  // of a task
  std::vector<std::string> options;  // of sbatch, beside these: "--partition=long"
};

/// What happens after the directives. Commands, the folder, the number of parts and the job's name stand in place of
/// the braces. The second job also comes after parts that have failed, since it runs what they have left.
constexpr const char* body = R"(
lagnet=({0})
out={1}

if [[ -z ${{SLURM_ARRAY_TASK_ID:-}} && ${{1:-}} != finish ]]; then
  parts=$(sbatch --parsable --array=1-{2} "$0") || exit
  last=$(sbatch --parsable --dependency=afterany:"${{parts%%;*}}" --output={3}-%j.log "$0" finish) || exit
  echo "array ${{parts%%;*}} runs the points, and job ${{last%%;*}} writes the results after it"
  exit
fi
task=${{SLURM_ARRAY_TASK_ID:-finish}}
[[ $task == finish ]] || lagnet+=(--part "$task/{2}")

finished() {{ find "$out.partial" -maxdepth 1 -name '*.finished' 2>/dev/null | wc -l; }}
before=$(finished)

"${{lagnet[@]}}" --jobs "$SLURM_CPUS_PER_TASK" &
worker=$!

# TERM comes 120 s before the time is up, or when another job takes this place. lagnet then gives up the points that it
# runs and keeps those that are finished.
trap 'was_told=yes; kill -TERM "$worker" 2>/dev/null' TERM
wait "$worker"
while kill -0 "$worker" 2>/dev/null; do wait "$worker"; done  # a signal ends a wait, not what it waits for
wait "$worker"
status=$?

# It goes on when it comes to its turn again: unless it was canceled, or nothing was finished in all of its time, which
# would not be other the next time.
if [[ -n ${{was_told:-}} && $status != 0 && $(finished) -gt $before ]] &&
   [[ $(squeue --noheader --jobs "$SLURM_JOB_ID" --format %T) == RUNNING ]]; then
  echo "task $task: its time is up, and it queues again"
  scontrol requeue "$SLURM_JOB_ID"
fi
echo "task $task: ended with status $status"
exit "$status"
)";

/// Slurm takes it for the name of a file.
std::string plain_name(std::string name) {
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; }, '_');
  return name;
}

/// A script that submits itself twice: as an array with a task for each part, and as a job after these that writes the
/// results, and runs what the tasks have left. A task whose time is up, or that must give way, lets lagnet put away
/// what is finished, and queues again if anything was finished since it began.
std::string text_of(const SlurmScript& script) {
  constexpr Bytes mib = 1 << 20;
  const std::string name = plain_name(script.name);
  std::string text = fmt::format(
      "#!/bin/bash\n"
      "# Run it with bash where sbatch is: it submits an array of jobs, and a job that writes the results after them.\n"
      "# Run again, it goes on from the points that are finished.\n"
      "#SBATCH --job-name={0}\n"
      "#SBATCH --time={1}\n"
      "#SBATCH --signal=B:TERM@120\n"
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --nodes=1\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task={2}\n"
      "#SBATCH --mem={3}M\n"
      "#SBATCH --output={0}-%A_%a.log\n",
      name, script.time, script.cpus, (script.memory + mib - 1) / mib);
  for (const std::string& option : script.options) text += "#SBATCH " + option + "\n";
  std::vector<std::string> words;
  std::ranges::transform(script.command, std::back_inserter(words), shell_quoted);
  return text + fmt::format(body, boost::join(words, " "), shell_quoted(script.out), script.parts, name);
}

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
  const ScenarioFile as_written = read_scenario_file(request.scenario, request.settings);
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
  for (const std::string& setting : request.settings) script.command.insert(script.command.end(), {"--set", setting});
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

bool is_slurm_time(const std::string& text) {
  static const Pattern form(R"(\d+|\d+:\d+|\d+:\d+:\d+|\d+-\d+|\d+-\d+:\d+|\d+-\d+:\d+:\d+)");
  return form.match(text).has_value();
}

}  // namespace lagnet::tools
