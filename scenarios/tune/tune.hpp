#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/sweep/execute.hpp"
#include "sim/base/remark.hpp"

/// Searches the parameters of an algorithm: candidates are drawn from ranges and run, and the one is chosen that gets
/// to a level of the relative error at the lowest cost, or the one that several metrics together speak for: Gray
/// Relational Analysis chooses it from the Pareto front. Source of the latter: T. Overman, G. Blum, D. Klabjan, "A
/// primal-dual algorithm for hybrid federated learning", arXiv:2210.08106v3, appendix.
namespace lagnet {

/// The runs of `lagnet tune`. Each candidate runs in the scenario's network, once with each seed; for the grades it
/// also runs once for each latency in a network with that latency. A latency that changes nothing has no separate run.
struct Tuning {
  /// Throws Diagnosed for a file without "tune", and with every problem of the scenario as it stands and with all
  /// parameters at the lower or all at the upper ends of their ranges.
  explicit Tuning(const ScenarioFile& scenario_file);
  /// The runs of the tuning as points of a plan, and their files; the tuning must outlive the plan.
  PlannedPoints planned() const;

  ScenarioFile file;
  TuneOptions options;
  std::vector<Settings> candidates;
  std::vector<SweepPoint> points;             // all runs
  std::vector<std::string> names;             // of their folders: 007, or 007_latency_0.8
  std::vector<std::vector<std::size_t>> own;  // of each candidate: its points in the scenario's own network, by seed
  std::vector<std::vector<std::size_t>> delayed;  // of each candidate: its points at options.latencies()
  std::vector<double> levels;                     // of relative_error, from high to low; the last one reached decides
  std::vector<std::pair<TuningMetric, std::string>> metrics;  // of grades, with their columns: final_loss, ..
  Remarks remarks;                                            // on these, for the user

 private:
  void set_levels(Diagnostics& problems);
  void add_points();
  void name_metrics();
};

/// The file with the values at their pointers and without its section "tune". Throws Diagnosed for pointers to
/// nothing.
ScenarioFile with_values(const ScenarioFile& file, const Settings& values);

/// Writes scenario.json, candidates.csv, tune.json (what was chosen) and, if a candidate can be chosen, tuned.json: the
/// scenario with its values, which `lagnet run` takes. Returns what tune.json says; "chosen" in it is null if there is
/// none. Throws OutputError.
Json write_tuning(const Tuning& tuning, const CompletePoints& complete);

/// Runs all candidates and writes their folders and these files to `out`. Finished runs are kept if it is interrupted,
/// and the next tuning for `out` resumes it, as execute_sweep() does. Returns what write_tuning() does, or null for a
/// part, which publishes nothing. Throws Diagnosed and OutputError.
Json execute_tune(const ScenarioFile& file, const std::filesystem::path& out, const ExecuteOptions& options);

}  // namespace lagnet
