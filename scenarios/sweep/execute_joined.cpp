#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/sweep/earlier_results.hpp"
#include "scenarios/sweep/execute.hpp"
#include "scenarios/sweep/joined_sweep.hpp"
#include "scenarios/sweep/point_runner.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

/// Whether the target has the results of this plan by this build, which another process may be replacing just now.
bool is_published(const Plan& plan, const fs::path& target) {
  try {
    return has_results_of(plan, target);
  } catch (const OutputError&) {
    return false;
  }
}

/// What came of points, as their files say.
Executed executed(const std::vector<fs::path>& folders, Executed::Published published) {
  const auto failed = std::ranges::count_if(folders, [](const fs::path& folder) { return !has_values(folder); });
  return {.runs = folders.size(), .failed = static_cast<std::size_t>(failed), .left = 0, .published = published};
}

/// A process's part in a sweep that others work on, too.
class JoinedRun {
 public:
  JoinedRun(Plan& plan, const fs::path& out, const ExecuteOptions& options)
      : plan_(plan),
        options_(options),
        target_(canonical_path(out)),
        runner_(plan, options),
        is_told_(plan.names.size()) {
    for (std::size_t i = 0; i < plan.names.size(); ++i)
      if (is_mine(i))
        points_.push_back(i);
      else
        runner_.leave_out(i);
  }

  Executed execute() {
    const auto before = time_of_results();
    const bool is_anew = options_.joining->anew || is_run_anew(target_);
    if (!is_anew && is_published(plan_, target_))
      return tell_published(PointRunner::By::before, Executed::Published::before);
    const std::vector<PointIdentity> identities = identities_of_points(plan_, target_);
    const auto is_done_meanwhile = [&] { return is_published(plan_, target_) && time_of_results() != before; };
    std::optional<JoinedSweep> joined;
    while (!is_done_meanwhile()) {
      try {
        joined.emplace(target_, identities, plan_.names, options_.joining->silence, is_anew, options_.replaces);
        joined->announce(text_of_scenario(plan_, target_));
        break;
      } catch (const std::exception&) {  // who publishes removes what comes now
        if (joined && joined->is_ending()) break;
        if (!is_being_published(partial_of(target_)) && !is_done_meanwhile()) throw;
        joined.reset();
        rest(0);
      }
    }
    if (!is_done_meanwhile()) return work_on(*joined);
    if (joined) joined->leave();
    return tell_published(PointRunner::By::another, Executed::Published::elsewhere);
  }

 private:
  /// Nothing if there are none.
  std::optional<fs::file_time_type> time_of_results() const {
    std::error_code none;
    const auto time = fs::last_write_time(target_ / "scenario.json", none);
    return none ? std::nullopt : std::optional(time);
  }

  bool is_mine(std::size_t point) const { return !options_.joining->part || options_.joining->part->has(point); }

  Executed work_on(JoinedSweep& sweep) {
    tell_finished(sweep, PointRunner::By::before);
    while (!sweep.is_over()) {
      if (left(sweep) == 0 && options_.joining->part) return ended_part(sweep);
      if (left(sweep) == 0 && publish(sweep)) return executed(folders(), Executed::Published::here);
      if (run_free_points(sweep))
        waited_ = {};
      else
        rest(left(sweep));
      tell_finished(sweep, PointRunner::By::another);
    }
    if (!is_published_soon())
      throw OutputError(fmt::format("{}: expected the results that another process has published, found others or none",
                                    target_.string()));
    return tell_published(PointRunner::By::another, Executed::Published::elsewhere);
  }

  /// Whether the results are there, of which a file system with caches may know later: no usual one is a minute late.
  bool is_published_soon() const {
    constexpr std::chrono::milliseconds look{50}, latest{60'000};
    for (auto waited = look; !is_published(plan_, target_) && waited < latest; waited += look)
      std::this_thread::sleep_for(look);
    return is_published(plan_, target_);
  }

  std::size_t left(JoinedSweep& sweep) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(points_, [&](std::size_t i) { return !is_told_[i] || !sweep.is_finished(i); }));
  }

  bool publish(JoinedSweep& sweep) {
    return sweep.publish([&] {
      std::vector<fs::path> places;
      for (std::size_t i = 0; i < plan_.names.size(); ++i) places.push_back(sweep.place(i));
      const Executed done = executed(places, Executed::Published::here);
      plan_.write(plan_, {.folders = places, .done = done, .folder = sweep.folder(), .target = sweep.target()});
      write_build(sweep.folder());
    });
  }

  /// Each point that is found finished is told once.
  void tell_finished(JoinedSweep& sweep, PointRunner::By by) {
    const std::lock_guard alone(telling_);
    for (const std::size_t i : sweep.found()) {
      if (!is_mine(i) || is_told_[i] || !sweep.is_finished(i)) continue;
      const fs::path place = sweep.place(i);
      try {
        runner_.skip(i, place, by);
        is_told_[i] = 1;
      } catch (const OutputError&) {
        if (!sweep.is_ending() && sweep.place(i) == place) throw;  // else it is read where it stands in the end
      }
    }
  }

  /// False if there was none.
  bool run_free_points(JoinedSweep& sweep) {
    std::vector<std::size_t> ready;
    for (const std::size_t i : points_) {
      const auto& values = plan_.values_from[i].point;
      if (!sweep.is_finished(i) && (!values || sweep.is_finished(*values))) ready.push_back(i);
    }
    std::atomic<bool> has_run = false;
    run_points(plan_, ready, [&](std::size_t i, const std::stop_token& unwanted) {
      if (run_if_free(sweep, i, unwanted)) has_run = true;
    });
    return has_run;
  }

  bool run_if_free(JoinedSweep& sweep, std::size_t i, const std::stop_token& unwanted) {
    try {
      const auto attempt = sweep.take(i);
      if (!attempt) return false;
      const fs::path place = target_ / plan_.names[i];
      if (!runner_.run_or_fail(i, attempt->begin(), place, unwanted,
                               values_for(plan_, i, [&](std::size_t k) { return sweep.place(k); })))
        runner_.run_or_fail(i, attempt->begin(), place, unwanted, {});
      {
        const std::lock_guard alone(telling_);
        is_told_[i] = 1;
      }
      sweep.finish(i, *attempt);
      tell_finished(sweep, PointRunner::By::another);  // so that progress has what others do meanwhile
    } catch (const OutputError&) {
      if (!sweep.is_ending() && !sweep.is_finished(i)) throw;
    } catch (const fs::filesystem_error&) {
      if (!sweep.is_ending() && !sweep.is_finished(i)) throw;
    }
    return true;
  }

  /// Looks again the later, the longer it has waited: by a third, and within seconds.
  void rest(std::size_t points) {
    constexpr std::chrono::milliseconds slice{50}, longest{5000};
    const auto until = waited_ + std::clamp(waited_ / 3, slice, longest);
    for (; waited_ < until; waited_ += slice) {
      runner_.wait_for(points);
      std::this_thread::sleep_for(slice);
    }
  }

  std::vector<fs::path> folders() const {
    std::vector<fs::path> folders;
    for (const std::string& name : plan_.names) folders.push_back(target_ / name);
    return folders;
  }

  Executed tell_published(PointRunner::By by, Executed::Published published) {
    while (is_being_published(target_)) rest(0);  // the publisher's own files are there for a moment
    forget_publisher(target_);
    for (const std::size_t i : points_)
      if (!is_told_[i]) runner_.skip(i, target_ / plan_.names[i], by);
    return executed(folders(), published);
  }

  Executed ended_part(JoinedSweep& sweep) const {
    Executed done = runner_.done();
    done.published = Executed::Published::not_yet;
    for (std::size_t i = 0; i < plan_.names.size(); ++i)
      if (!sweep.is_finished(i)) ++done.left;
    return done;
  }

  Plan& plan_;
  const ExecuteOptions& options_;
  fs::path target_;
  PointRunner runner_;
  std::vector<std::size_t> points_;     // that this process may run, in order
  std::mutex telling_;                  // guards the next
  std::vector<unsigned char> is_told_;  // of each point
  std::chrono::milliseconds waited_{0};
};

}  // namespace

Executed execute_joined(Plan& plan, const fs::path& out, const ExecuteOptions& options) {
  return JoinedRun(plan, out, options).execute();
}

}  // namespace lagnet
