#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

/// The staged folder in which the points of a sweep gather, until all are there and it takes the place of the target.
/// Finished points stay if the sweep is interrupted in any way, and the next sweep for the same target takes them over.
/// A finished point is known by its scenario, every default filled in, and by the build of lagnet that ran it, so that
/// points may be added to a sweep, or change places, without running the others again. What is not in the scenario's
/// text, such as the content of data files, is not compared.
class SweepCheckpoint {
 public:
  /// The file that announces the points: an array with "key" and "folder" of each, in their order. A point's files are
  /// in the folder of its key, or of the key and this suffix while it runs; a finished one has a file of the other.
  static constexpr const char *points_name = "points.json", *running_suffix = ".running",
                              *finished_suffix = ".finished";

  /// `scenarios`: the text of each point's scenario. Throws OutputError if the target must not be replaced, nothing can
  /// be written there, or another process gathers points there.
  SweepCheckpoint(const std::filesystem::path& target, const std::vector<std::string>& scenarios);
  ~SweepCheckpoint();  // removes the folder only if nothing in it is worth keeping
  SweepCheckpoint(const SweepCheckpoint&) = delete;
  SweepCheckpoint& operator=(const SweepCheckpoint&) = delete;

  /// Says what is to come, for readers of the folder while the sweep goes on (unfinished_runs.hpp): its scenario.json,
  /// and which folder each of its points will have.
  void announce(const std::string& scenario, const std::vector<std::string>& names);

  const std::filesystem::path& target() const { return staged_.target(); }
  /// Where files go until the end.
  const std::filesystem::path& folder() const { return staged_.folder(); }

  std::size_t points() const { return keys_.size(); }
  bool is_finished(std::size_t point) const;
  std::size_t finished() const;
  /// Where a point's files go while it runs; what an earlier attempt left there is removed.
  std::filesystem::path begin(std::size_t point);
  /// The point's files are complete: from now on it is finished, and an interruption leaves the folder.
  void finish(std::size_t point);
  /// The files of a finished point.
  std::filesystem::path place(std::size_t point) const { return folder() / keys_[point]; }

  /// Gives the points' folders these names, and puts everything in the target's place.
  void publish(const std::vector<std::string>& names);

 private:
  std::filesystem::path running(std::size_t point) const { return folder() / (keys_[point] + running_suffix); }
  std::filesystem::path certificate(std::size_t point) const { return folder() / (keys_[point] + finished_suffix); }
  void forget_strangers();

  StagedFolder staged_;
  const std::vector<std::string>& scenarios_;
  std::vector<std::string> keys_;  // of the points: the checksum of the scenario, and which of those with the same
  mutable std::mutex mutex_;       // guards finished_
  std::vector<bool> finished_;
};

/// Identifies the build of lagnet: a checksum of the running program.
std::string build_identity();

}  // namespace lagnet
