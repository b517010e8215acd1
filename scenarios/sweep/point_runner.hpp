#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "scenarios/sweep/execute.hpp"
#include "scenarios/sweep/sweep_checkpoint.hpp"

namespace lagnet {

/// What the points of a plan do, whoever keeps their folders, told to the watcher of the options. Several threads may
/// run points at once.
class PointRunner {
 public:
  PointRunner(Plan& plan, const ExecuteOptions& options);

  /// Runs a point into `folder`, for use in `target`, with the values of the run in `values` unless that is empty.
  void run(std::size_t i, const std::filesystem::path& folder, const std::filesystem::path& target,
           const std::stop_token& unwanted, const std::filesystem::path& values);
  /// The same, of a sweep; an error of the run is the result of this point, and the others go on. False if the point
  /// comes to rounds of which there are no values: it can be run again without them.
  bool run_or_fail(std::size_t i, const std::filesystem::path& folder, const std::filesystem::path& target,
                   const std::stop_token& unwanted, const std::filesystem::path& values);
  /// The point was finished before. Throws what its files throw that cannot be read, and has told nothing then.
  void skip(std::size_t i, const std::filesystem::path& folder);
  /// The point belongs to another part.
  void leave_out(std::size_t i);
  const Executed& done() const { return done_; }

 private:
  void fail(std::size_t i, const std::filesystem::path& folder, const std::string& why);
  void count(bool is_failure);
  void tell(const std::function<void(RunWatcher&)>& tell);

  Plan& plan_;
  const ExecuteOptions& options_;
  std::mutex one_at_a_time_;  // also guards done_
  Executed done_;
};

/// What finished points are known by: the SHA-256 of their scenario.json, and their inputs. In the end they stand in
/// `target`.
std::vector<PointIdentity> identities_of_points(const Plan& plan, const std::filesystem::path& target);

/// The scenario.json of the whole sweep there.
std::string text_of_scenario(const Plan& plan, const std::filesystem::path& target);

/// The folder whose values a point takes: that of a recorded run, or of a finished point that has come to its end; ""
/// for a point that computes.
std::filesystem::path values_for(const Plan& plan, std::size_t i,
                                 const std::function<std::filesystem::path(std::size_t)>& place_of_point);

/// Whether a finished point came to its end.
bool has_values(const std::filesystem::path& folder);

/// Runs some points of a plan side by side, those that take the values of others after these.
void run_points(const Plan& plan, const std::vector<std::size_t>& points,
                const std::function<void(std::size_t, const std::stop_token&)>& run);

}  // namespace lagnet
