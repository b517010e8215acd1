#include "tools/cli/cluster/slurm_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <iterator>

#include "scenarios/files/pattern.hpp"
#include "tools/console/shell_word.hpp"

namespace lagnet::tools {

namespace {

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

}  // namespace

bool is_slurm_time(const std::string& text) {
  static const Pattern form(R"(\d+|\d+:\d+|\d+:\d+:\d+|\d+-\d+|\d+-\d+:\d+|\d+-\d+:\d+:\d+)");
  return form.match(text).has_value();
}

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

}  // namespace lagnet::tools
