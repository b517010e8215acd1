#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

/// Identifies a finished point, together with the build of lagnet that ran it.
struct PointIdentity {
  std::string scenario;                            // its text with every default filled in, or a digest of that
  std::shared_ptr<const std::string> inputs = {};  // the files that it reads (named_files.hpp), as JSON; null: none
};

/// The staged folder in which the points of a sweep gather, until all are there and it takes the place of the target.
/// Finished points stay if the sweep is interrupted in any way, and the next sweep for the same target takes over those
/// that it has, too: points may be added to a sweep, or change places, without running the others again. Processes that
/// have different shares of a sweep gather their points in one folder, which a process without a share publishes.
class SweepCheckpoint {
 public:
  /// `points.json` announces the points: an array with "key" and "folder" of each, in their order. A finished point is
  /// in the folder of its key, and has a certificate, a file of the key and the last suffix. While it runs, its folder
  /// has the key, the name of the process and the other suffix, with points between them.
  static constexpr const char *points_name = "points.json", *running_suffix = ".running",
                              *finished_suffix = ".finished";

  /// `names`: of the points' folders in the end. Throws OutputError as StagedFolder does, and unless this one
  /// `replaces` them, if this build has finished points of the sweep with other files than these, or if there are
  /// finished points that the sweep does not have.
  SweepCheckpoint(const std::filesystem::path& target, std::vector<PointIdentity> points,
                  std::vector<std::string> names, bool replaces = false, const std::optional<Share>& share = {});
  ~SweepCheckpoint();  // removes the folder only if nothing in it is worth keeping
  SweepCheckpoint(const SweepCheckpoint&) = delete;
  SweepCheckpoint& operator=(const SweepCheckpoint&) = delete;

  /// Says what is to come, for readers of the folder while the sweep goes on (unfinished_runs.hpp): its scenario.json,
  /// and which folder each of its points will have.
  void announce(const std::string& scenario) const;

  const std::filesystem::path& target() const { return staged_.target(); }
  /// Where files go until the end.
  const std::filesystem::path& folder() const { return staged_.folder(); }

  bool is_finished(std::size_t point) const;
  std::size_t finished() const;
  /// Where a point's files go while this process runs it; what an earlier attempt of it left there is removed.
  std::filesystem::path begin(std::size_t point) const;
  /// Removes what this attempt has left.
  void give_up(std::size_t point) const;
  /// The point's files are complete: from now on it is finished, and an interruption leaves the folder.
  void finish(std::size_t point);
  /// The files of a finished point.
  std::filesystem::path place(std::size_t point) const { return folder() / keys_[point]; }

  /// Gives the points' folders their names, and puts everything in the target's place.
  void publish();
  /// Removes the files of a publication from the results, which stay there if the process is killed at its very end.
  static void end_publication(const std::filesystem::path& target);

 private:
  std::filesystem::path running(std::size_t point) const;
  std::filesystem::path certificate(std::size_t point) const { return folder() / (keys_[point] + finished_suffix); }
  std::string certificate_text(std::size_t point) const;
  bool is_complete(std::size_t point) const;
  void take_names_back() const;
  void refuse_other_work() const;
  void forget_strangers() const;
  void replace(const char* name, const std::string& text) const;

  std::vector<PointIdentity> points_;
  std::vector<std::string> names_;
  std::vector<std::string> keys_;  // the checksum of the scenario, and which of those with the same
  std::optional<Share> share_;
  StagedFolder staged_;
  mutable std::mutex mutex_;  // guards finished_
  std::vector<bool> finished_;
};

}  // namespace lagnet
