#include "scenarios/sweep/sweep_checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "scenarios/files/version.hpp"
#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// What stands in the certificate of a finished point.
std::string certificate_text(const std::string& scenario) { return build_identity() + "\n" + scenario; }

bool holds(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && read_file(file) == text;
}

}  // namespace

std::string build_identity() {
  // Where the system does not show the program, versions alone are told apart.
  static const std::string identity = [] {
    const fs::path program = "/proc/self/exe";
    std::error_code ignored;
    return fmt::format("{} {}", version(), fs::exists(program, ignored) ? checksum(read_file(program)) : "");
  }();
  return identity;
}

SweepCheckpoint::SweepCheckpoint(const fs::path& target, const std::vector<std::string>& scenarios)
    : staged_(target, StagedFolder::Remains::kept), scenarios_(scenarios), finished_(scenarios.size()) {
  std::map<std::string, int> seen;
  for (const std::string& scenario : scenarios_) {
    const std::string sum = checksum(scenario);
    keys_.push_back(fmt::format("point-{}-{}", sum, seen[sum]++));
  }
  for (std::size_t i = 0; i < points(); ++i)
    finished_[i] = fs::is_directory(place(i)) && holds(certificate(i), certificate_text(scenarios_[i]));
  try {
    forget_strangers();
  } catch (...) {
    if (finished() == 0) staged_.discard();
    throw;
  }
  if (finished() > 0) staged_.keep();
}

SweepCheckpoint::~SweepCheckpoint() {
  if (finished() == 0) staged_.discard();
}

// What no point of this sweep is known by: attempts that were broken off, and points of other builds and scenarios.
void SweepCheckpoint::forget_strangers() {
  std::set<std::string> known{FolderLock::name};
  for (std::size_t i = 0; i < points(); ++i)
    if (finished_[i]) known.insert({place(i).filename().string(), certificate(i).filename().string()});
  std::vector<fs::path> strangers;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (!known.contains(entry.path().filename().string())) strangers.push_back(entry.path());
  for (const fs::path& path : strangers) fs::remove_all(path);
}

void SweepCheckpoint::announce(const std::string& scenario, const std::vector<std::string>& names) {
  Json points = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) points.push_back({{"key", keys_[i]}, {"folder", names[i]}});
  const Commit together(folder());  // these are no results that an interruption would tell of
  replace_file(folder() / "scenario.json", scenario);
  replace_file(folder() / points_name, points.dump() + "\n");
}

bool SweepCheckpoint::is_finished(std::size_t point) const {
  const std::lock_guard alone(mutex_);
  return finished_[point];
}

std::size_t SweepCheckpoint::finished() const {
  const std::lock_guard alone(mutex_);
  return static_cast<std::size_t>(std::ranges::count(finished_, true));
}

fs::path SweepCheckpoint::begin(std::size_t point) {
  fs::remove_all(running(point));
  return running(point);
}

void SweepCheckpoint::finish(std::size_t point) {
  Commit commit(place(point));
  fs::remove_all(place(point));
  fs::rename(running(point), place(point));
  replace_file(certificate(point), certificate_text(scenarios_[point]));
  staged_.keep();
  const std::lock_guard alone(mutex_);
  finished_[point] = true;
}

void SweepCheckpoint::publish(const std::vector<std::string>& names) {
  Commit commit(target());
  fs::remove(folder() / points_name);
  for (std::size_t i = 0; i < points(); ++i) {
    fs::remove(certificate(i));
    fs::rename(place(i), folder() / names[i]);
  }
  staged_.publish();
  commit.done();
}

}  // namespace lagnet
