#include "tools/cli/cluster/slurm_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <iterator>

#include "scenarios/files/pattern.hpp"
#include "tools/console/shell_word.hpp"

namespace lagnet::tools {

namespace {

/// What happens after the directives. Commands and folders stand in place of the braces.
constexpr const char* body = R"(
lagnet=({})
out={}

finished() {{ find "$out.partial" -maxdepth 1 -name '*.finished' 2>/dev/null | wc -l; }}
before=$(finished)

# Any task takes any point that is left; the last one to finish a point publishes the results.
"${{lagnet[@]}}" --jobs "$SLURM_CPUS_PER_TASK" &
worker=$!

# TERM comes 120 s before the time is up, or when another job takes this place. lagnet then gives up the points that it
# runs and keeps those that are finished.
trap 'was_told=yes; kill -TERM "$worker" 2>/dev/null' TERM
wait "$worker"
while kill -0 "$worker" 2>/dev/null; do wait "$worker"; done  # a signal ends a wait, not what it waits for
wait "$worker"
status=$?

# The others go on with what is left, and so does this task when it comes to its turn again: unless it was canceled, or
# finished nothing in all of its time, which would not be other the next time.
if [[ -n ${{was_told:-}} && $status != 0 && $(finished) -gt $before ]] &&
   [[ $(squeue --noheader --jobs "$SLURM_JOB_ID" --format %T) == RUNNING ]]; then
  echo "task ${{SLURM_ARRAY_TASK_ID}}: its time is up, and it queues again"
  scontrol requeue "$SLURM_JOB_ID"
fi
echo "task ${{SLURM_ARRAY_TASK_ID}}: ended with status $status"
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
  std::string text = fmt::format(
      "#!/bin/bash\n"
      "# Submit it with sbatch. Submitted again, it goes on from the points that are finished.\n"
      "#SBATCH --job-name={0}\n"
      "#SBATCH --array=0-{1}\n"
      "#SBATCH --time={2}\n"
      "#SBATCH --signal=B:TERM@120\n"
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --nodes=1\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task={3}\n"
      "#SBATCH --mem={4}M\n"
      "#SBATCH --output={0}-%A_%a.log\n",
      plain_name(script.name), script.tasks - 1, script.time, script.cpus, (script.memory + mib - 1) / mib);
  for (const std::string& option : script.options) text += "#SBATCH " + option + "\n";
  std::vector<std::string> words;
  std::ranges::transform(script.command, std::back_inserter(words), shell_quoted);
  return text + fmt::format(body, boost::join(words, " "), shell_quoted(script.out));
}

}  // namespace lagnet::tools
