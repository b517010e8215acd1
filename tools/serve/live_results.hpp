#pragma once

#include <chrono>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "scenarios/json/diagnostics.hpp"
#include "scenarios/sweep/unfinished_runs.hpp"
#include "tools/serve/lock_holder.hpp"

namespace lagnet::tools {

/// A text that changes now and then, and its version.
struct VersionedText {
  std::shared_ptr<const std::string> text = std::make_shared<const std::string>("null");
  std::string version;
};

/// Reads a folder of results on request: during a run, after an interruption, or complete. Reading is cheap. The model
/// of the page is not, so during a run it is renewed only as often as this process stays below half a percent of a
/// core.
class LiveResults {
 public:
  /// `command`: as it was typed, for the page.
  LiveResults(std::filesystem::path folder, std::string command);

  /// {"state": "waiting", "running", "stopped" or "finished", "points", "finished", "left_s", "best", ...}: see
  /// tools/serve/README.md.
  VersionedText status();
  /// The newest model; "null" as long as there is no row.
  VersionedText model();

  /// Interrupts the run that fills the folder. False if there is none.
  bool stop();

 private:
  using Clock = std::chrono::steady_clock;

  void look();
  std::string state() const;
  /// What changes with what there is to read.
  std::string signature(const std::string& state) const;
  std::string next_version();
  /// Whether there is something new, and time for it.
  bool is_due(const std::string& state, const std::string& signature) const;
  void make(const std::string& state);
  void estimate_time_left(double done);
  Json status_of(const std::string& state) const;

  std::filesystem::path folder_, partial_, lock_;
  std::string command_;
  UnfinishedReader reader_;
  std::string first_version_;
  VersionedText status_, model_;
  std::optional<Clock::time_point> looked_;
  std::optional<LockHolder> holder_;  // when it was looked last

  // Of the model that was made last.
  Clock::time_point made_;
  std::clock_t work_before_ = 0;  // of this process until then
  std::string made_state_, made_signature_, trouble_;
  std::size_t points_ = 0, finished_ = 0, versions_ = 0;
  Json best_, under_way_ = Json::array();
  struct Progress {
    Clock::time_point at;
    double done = 0;  // points, in parts too
  };
  std::optional<Progress> first_;  // that was seen of this run
  std::optional<double> left_s_;
};

}  // namespace lagnet::tools
