#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/sweep/point_places.hpp"

namespace lagnet {

/// The staged folder in which the points of a sweep gather, until all are there and it takes the place of the target.
/// Finished points stay if the sweep is interrupted in any way, and the next sweep for the same target takes over those
/// that it has, too (point_places.hpp).
class SweepCheckpoint {
 public:
  /// Throws OutputError if the target must not be replaced, nothing can be written there, or another process gathers
  /// points there; also where there are finished points of other work (PointPlaces::refuse_other_work()), unless this
  /// one `replaces` it.
  SweepCheckpoint(const std::filesystem::path& target, const std::vector<PointIdentity>& points, bool replaces = false);
  ~SweepCheckpoint();  // removes the folder only if nothing in it is worth keeping
  SweepCheckpoint(const SweepCheckpoint&) = delete;
  SweepCheckpoint& operator=(const SweepCheckpoint&) = delete;

  /// Says what is to come, for readers of the folder while the sweep goes on (unfinished_runs.hpp): its scenario.json,
  /// and which folder each of its points will have.
  void announce(const std::string& scenario, const std::vector<std::string>& names);

  const std::filesystem::path& target() const { return staged_.target(); }
  /// Where files go until the end.
  const std::filesystem::path& folder() const { return staged_.folder(); }

  std::size_t points() const { return places_.count(); }
  bool is_finished(std::size_t point) const;
  std::size_t finished() const;
  /// Where a point's files go while it runs; what an earlier attempt left there is removed.
  std::filesystem::path begin(std::size_t point);
  /// The point's files are complete: from now on it is finished, and an interruption leaves the folder.
  void finish(std::size_t point);
  /// The files of a finished point.
  std::filesystem::path place(std::size_t point) const { return places_.place(point); }

  /// Gives the points' folders these names, and puts everything in the target's place.
  void publish(const std::vector<std::string>& names);

 private:
  std::filesystem::path running(std::size_t point) const {
    return folder() / (places_.key(point) + PointPlaces::running_suffix);
  }
  void forget_strangers();

  StagedFolder staged_;
  PointPlaces places_;
  mutable std::mutex mutex_;  // guards finished_
  std::vector<bool> finished_;
};

}  // namespace lagnet
