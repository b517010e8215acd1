#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/sweep/execute.hpp"
#include "tools/console/command.hpp"
#include "tools/console/estimate_text.hpp"
#include "tools/console/heartbeat.hpp"
#include "tools/console/points_table.hpp"
#include "tools/console/progress_bar.hpp"

namespace lagnet::tools {

/// Tells on stderr how far the points are, and what is to be known of them. Hundreds of points may have the same
/// warning, but for its numbers: the first is printed, the others are counted.
class PointWatcher : public RunWatcher {
 public:
  explicit PointWatcher(const Console& console);

  void planned(const Plan& plan) override;
  void started(std::size_t point, const Experiment& experiment) override;
  void recorded(std::size_t point, const Row& row) override;
  void warned(std::size_t point, const Remark& what) override;
  void finished(std::size_t point, const Experiment&, const Outcome&) override { ended(point); }
  void failed(std::size_t point, const std::string&) override { ended(point); }
  void skipped(std::size_t point, const Json& summary) override;
  void left_out(std::size_t point) override { bar_.skip(point, std::nullopt); }
  /// After the last point.
  virtual void end();

 protected:
  std::string label(std::size_t point) const;
  void warn(std::size_t point, const Remarks& warnings);
  void show_progress() { bar_.show(); }
  const Plan& plan() const { return *plan_; }  // until the last point has ended
  std::size_t points() const { return points_; }
  const Console& console_;

 private:
  void ended(std::size_t point);

  ProgressBar bar_;
  std::optional<Heartbeat> until_first_row_;
  const Plan* plan_ = nullptr;
  std::size_t points_ = 0;
  std::vector<Settings> values_;  // by which points are called
  struct Told {
    std::string warning;     // of the first point
    std::size_t others = 0;  // points after it
    bool differ = false;     // some of them have other numbers in it
  };
  std::map<std::string, Told> told_warnings_;  // by code, or by the text of warnings without numbers
};

/// Also reports each run that has ended, in the order of the points, not of their ends: stdout does not depend on the
/// number of jobs, nor on interruptions. A single run has a sentence, and a sweep a table.
class PointTeller final : public PointWatcher {
 public:
  using PointWatcher::PointWatcher;

  void planned(const Plan& plan) override;
  /// Reports the time of the remaining runs if it is a minute or more, from a second of measuring.
  void begins(Plan& plan, const std::vector<std::size_t>& left, const ExecuteOptions& options) override;
  void finished(std::size_t point, const Experiment& experiment, const Outcome& outcome) override;
  void failed(std::size_t point, const std::string& why) override;
  void skipped(std::size_t point, const Json& summary) override;
  void left_out(std::size_t point) override;
  void end() override;
  const Json& summaries() const { return summaries_; }

 private:
  struct Ended {
    std::string out, err;
    Remarks remarks;
    Json summary;
  };
  std::optional<double> wanted(std::size_t point) const { return plan().scenarios[point].stop.relative_error; }
  void tell_in_order();
  std::string sentence(std::size_t point, const Json& summary) const;

  double began_ = processor_seconds();  // before the points are planned
  std::optional<PointsTable> table_;
  bool is_sweep_ = false;
  std::size_t told_ = 0;  // points before this one
  std::size_t kept_ = 0, missed_ = 0;
  std::map<std::size_t, Ended> waiting_;
  Json summaries_ = Json::array();
};

}  // namespace lagnet::tools
