#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/files/claim.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/sweep/point_places.hpp"

namespace lagnet {

/// Whether a process publishes what is in a folder: that of a sweep, or already the target, where its own files are for
/// a moment.
bool is_being_published(const std::filesystem::path& folder);

/// Removes what a publisher has left in the target that was killed in the moment when its own files were there.
void forget_publisher(const std::filesystem::path& target);

/// The staged folder of a sweep whose points are run by any number of processes, on any machines that see it, each of
/// which may come, be interrupted or be killed at any time. Points are finished as in a SweepCheckpoint, which goes on
/// from here and the reverse.
///
/// Claims keep processes from doing the same work. Nothing that is written depends on them, since a process that was
/// silent for long may have lost its claims and go on: each attempt at a point has a folder of its own, which takes the
/// point's place by a rename, and the first one counts. Nobody removes what another one did, but for whoever publishes.
class JoinedSweep {
 public:
  /// `names`: of the points' folders in the end. Both lists must outlive this. `is_anew`: though the target has these
  /// results. Throws OutputError if the target must not be replaced, nothing can be written there, a process gathers
  /// points there that is not joined, or those that are have other points, other data or another build of lagnet; also
  /// for finished points of other work, as SweepCheckpoint does.
  JoinedSweep(const std::filesystem::path& target, const std::vector<PointIdentity>& points,
              const std::vector<std::string>& names, std::chrono::milliseconds silence = silence_max,
              bool is_anew = false, bool replaces = false);

  /// As SweepCheckpoint::announce().
  void announce(const std::string& scenario);

  const std::filesystem::path& target() const { return staged_.target(); }
  const std::filesystem::path& folder() const { return staged_.folder(); }
  /// The files of a finished point.
  std::filesystem::path place(std::size_t point) const;
  /// The points that any process has a certificate of, by one look into the folder.
  std::vector<std::size_t> found() const;
  /// Whether any process has finished the point.
  bool is_finished(std::size_t point);
  /// Whether the folder is gone, or this process's file in it: another process has published it. File systems with
  /// caches may show the folder, and not the results, for a while.
  bool is_over() const { return !staged_.stands() || (member_ && !member_->is_listed()); }
  /// The same, or another process is about to: what happens to files here does not matter any more.
  bool is_ending() const { return is_over() || is_being_published(folder()); }

  /// A point that this process runs: its claim is given back with the object, and a folder that was not finished is
  /// removed.
  class Attempt {
   public:
    Attempt(Claim claim, std::filesystem::path folder);
    ~Attempt();
    Attempt(Attempt&&) = delete;
    /// Where the point's files go while it runs, once what the attempt before has left there is removed.
    const std::filesystem::path& begin() const;

   private:
    friend JoinedSweep;
    Claim claim_;
    std::filesystem::path folder_;
    std::optional<Unfinished> unfinished_;
  };
  /// Nothing if the point is finished, or another process at work has it.
  std::unique_ptr<Attempt> take(std::size_t point);
  /// The attempt's files are complete; they are dropped if another process was first.
  void finish(std::size_t point, Attempt& attempt);

  /// If all points are finished: has `write` write the files beside them, and puts everything in the target's place.
  /// False if there is more to do, or another process publishes.
  bool publish(const std::function<void()>& write);
  /// Ends the membership, and takes the folder away if nothing is in it.
  void leave();

 private:
  bool is_complete(std::size_t point) const;
  void put_in_place(std::size_t point, Attempt& attempt);
  void refuse_other_tasks(const std::string& task) const;
  void replace(const std::filesystem::path& file, const std::string& text) const;

  StagedFolder staged_;
  PointPlaces places_;
  const std::vector<std::string>& names_;
  std::map<std::string, std::size_t> certificates_;  // the points by the names of these
  std::optional<Membership> member_;
  std::mutex mutex_;            // guards finished_
  std::vector<bool> finished_;  // as far as it was seen
};

}  // namespace lagnet
