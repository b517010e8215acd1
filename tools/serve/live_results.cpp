#include "tools/serve/live_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/report/report_model.hpp"
#include "scenarios/sweep/sweep_checkpoint.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

// Pages ask every second; several of them share what one look has seen.
constexpr std::chrono::milliseconds between_looks_min{500};
constexpr std::chrono::seconds between_models_min{1};
constexpr double rest_for_work = 200;  // this many times as long as a model and its delivery took
constexpr std::size_t told_under_way_max = 8;

std::size_t finished_points(const fs::path& folder) {
  std::error_code ignored;
  std::size_t count = 0;
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored))
    if (at->path().extension() == SweepCheckpoint::finished_suffix) ++count;
  return count;
}

/// The least last relative error, and whose it is; null if no run has one.
Json best_of(const std::vector<RecordedRun>& runs) {
  Json best;
  for (const RecordedRun& run : runs) {
    const Json& error = Document(run.summary).at("/last_row/relative_error");
    if (error.is_number() && (best.is_null() || error.get<double>() < best["relative_error"].get<double>()))
      best = {{"relative_error", error}, {"run", run.label}};
  }
  return best;
}

/// The runs that go on with the round they are in; the first ones of many.
Json told_under_way(const std::vector<RecordedRun>& runs) {
  Json told = Json::array();
  for (const RecordedRun& run : runs)
    if (run.is_under_way() && told.size() < told_under_way_max)
      told.push_back({{"run", run.label},
                      {"round", run.summary["stop"]["round"]},
                      {"rounds", Document(run.scenario).at("/stop/rounds")}});
  return told;
}

/// Names of files may hold bytes that are no UTF-8.
std::shared_ptr<const std::string> json_text(const Json& document) {
  return std::make_shared<const std::string>(document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

LiveResults::LiveResults(fs::path folder, std::string command)
    : folder_(std::move(folder)),
      partial_(partial_of(canonical_path(folder_))),
      lock_(partial_ / FolderLock::name),
      command_(std::move(command)),
      reader_(partial_),
      // Pages outlive the server: the versions of the next one are others.
      first_version_(fmt::format("{:x}", Clock::now().time_since_epoch().count())) {}

std::string LiveResults::next_version() { return fmt::format("{}-{}", first_version_, ++versions_); }

std::string LiveResults::state() const {
  if (holder_) return "running";
  if (finished_points(partial_) > 0) return "stopped";
  if (fs::exists(folder_ / "scenario.json")) return "finished";
  return fs::exists(partial_ / "progress.csv") ? "stopped" : "waiting";
}

std::string LiveResults::signature(const std::string& state) const {
  if (state == "waiting") return "";
  if (state != "finished") return reader_.signature();
  return fmt::format("{}", fs::last_write_time(folder_ / "scenario.json").time_since_epoch().count());
}

bool LiveResults::is_due(const std::string& state, const std::string& signature) const {
  if (state != made_state_) return true;
  if (signature == made_signature_) return false;
  const double worked_s = static_cast<double>(std::clock() - work_before_) / CLOCKS_PER_SEC;
  const std::chrono::duration<double> rest(state == "running" ? rest_for_work * worked_s : 0);
  return Clock::now() - made_ >= std::max<std::chrono::duration<double>>(between_models_min, rest);
}

void LiveResults::estimate_time_left(double done) {
  const auto now = Clock::now();
  if (!first_ || done < first_->done) first_ = {now, done};
  const double gained = done - first_->done;
  if (gained > 0 && points_ > 0)
    left_s_ = std::chrono::duration<double>(now - first_->at).count() * (static_cast<double>(points_) - done) / gained;
}

void LiveResults::make(const std::string& state) {
  work_before_ = std::clock();
  made_ = Clock::now();
  const bool is_complete = state == "finished";
  UnfinishedRuns seen;
  if (is_complete) {
    seen.recorded = read_recorded_runs({folder_});
    seen.points = seen.finished = seen.recorded.runs.size() + seen.recorded.broken.size();
  } else if (state != "waiting") {
    seen = reader_.read();
    // The next sweep begins these anew.
    if (state == "stopped" && seen.points > 1)
      std::erase_if(seen.recorded.runs, std::mem_fn(&RecordedRun::is_under_way));
  }
  const Json model = seen.recorded.runs.empty()
                         ? Json()
                         : report_model(seen.recorded, {.command = command_, .is_unfinished = !is_complete});
  points_ = seen.points;
  finished_ = seen.finished;
  best_ = best_of(seen.recorded.runs);
  under_way_ = told_under_way(seen.recorded.runs);
  if (state != "running") first_.reset();
  left_s_.reset();
  if (state == "running") estimate_time_left(static_cast<double>(seen.finished) + seen.under_way);
  model_ = {json_text(model), next_version()};
}

void LiveResults::look() {
  const auto now = Clock::now();
  if (looked_ && now - *looked_ < between_looks_min) return;
  looked_ = now;
  holder_ = lock_holder(lock_);
  const std::string seen = state();
  try {
    const std::string signed_by = signature(seen);
    if (is_due(seen, signed_by)) {
      make(seen);
      made_state_ = seen;
      made_signature_ = signed_by;
    }
    trouble_.clear();
  } catch (const std::exception& error) {
    // Files move while a run goes on and ends; the next look finds them. Persistent problems are reported.
    trouble_ = seen == "running" ? "" : error.what();
    made_state_ = seen;
    made_signature_.clear();
  }
  if (seen == "running" && made_state_ == seen) finished_ = std::max(finished_, finished_points(partial_));
  auto text = json_text(status_of(seen));
  if (*text != *status_.text) status_ = {std::move(text), next_version()};
}

Json LiveResults::status_of(const std::string& state) const {
  const bool is_sweep = fs::exists(partial_ / SweepCheckpoint::points_name);
  return {{"state", state},
          {"folder", folder_.string()},
          {"partial", partial_.string()},
          {"points", points_},
          {"finished", finished_},
          {"under_way", under_way_},
          {"left_s", left_s_ ? Json(*left_s_) : Json()},
          {"best", best_},
          {"can_stop", holder_ && holder_->can_be_told},
          {"keeps_points", is_sweep && finished_ > 0},
          {"model", model_.version},
          {"trouble", trouble_}};
}

VersionedText LiveResults::status() {
  look();
  return status_;
}

VersionedText LiveResults::model() {
  look();
  return model_;
}

bool LiveResults::stop() {
  looked_.reset();
  return interrupt_lock_holder(lock_);
}

}  // namespace lagnet::tools
