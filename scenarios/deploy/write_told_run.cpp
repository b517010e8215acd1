#include "scenarios/deploy/write_told_run.hpp"

#include <utility>

#include "scenarios/deploy/told_run.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/results/run_files.hpp"
#include "scenarios/sweep/earlier_results.hpp"

namespace lagnet {

namespace fs = std::filesystem;

Outcome write_told_run(const Experiment& experiment, const std::vector<fs::path>& records, const fs::path& out,
                       RunOptions options) {
  ToldRun told(experiment, records);
  options.world = &told;
  StagedFolder staged(out);
  const fs::path run_folder = staged.folder() / "run";  // run_point() makes it
  Outcome outcome = run_point(experiment, run_folder, staged.target(), std::move(options));
  for (const auto& entry : fs::directory_iterator(run_folder))
    fs::rename(entry.path(), staged.folder() / entry.path().filename());
  fs::remove(run_folder);
  write_build(staged.folder());
  staged.publish();
  return outcome;
}

}  // namespace lagnet
