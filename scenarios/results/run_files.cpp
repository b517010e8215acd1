#include "scenarios/results/run_files.hpp"

#include <fstream>
#include <string>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/results/agent_link_csv.hpp"
#include "scenarios/results/model_files.hpp"
#include "scenarios/results/run_summary.hpp"

namespace lagnet {

void write_run_files(const Experiment& experiment, const Outcome& outcome, const std::filesystem::path& folder,
                     const std::filesystem::path& target) {
  constexpr int indent = 2;
  const std::string scenario = write_scenario(experiment.scenario, target).dump(indent) + "\n";
  Json facts = summary(experiment, outcome);
  facts["scenario_crc32"] = checksum(scenario);
  facts["model"] = write_model(experiment, outcome, folder);
  write_file(folder / "scenario.json", scenario);
  write_file(folder / "summary.json", facts.dump(indent) + "\n");
  const auto write_table = [&](const char* name, const auto& write) {
    std::ofstream file(folder / name, std::ios::binary);
    write(experiment, outcome, [&file](std::string_view piece) { file << piece; });
    close_written(file, folder / name);
  };
  write_table("agents.csv", write_agents_csv);
  write_table("links.csv", write_links_csv);
}

}  // namespace lagnet
