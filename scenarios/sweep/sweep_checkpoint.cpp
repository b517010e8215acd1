#include "scenarios/sweep/sweep_checkpoint.hpp"

#include <algorithm>
#include <set>

namespace lagnet {

namespace fs = std::filesystem;

SweepCheckpoint::SweepCheckpoint(const fs::path& target, const std::vector<PointIdentity>& identities, bool replaces)
    : staged_(target, StagedFolder::Remains::kept), places_(folder(), identities), finished_(identities.size()) {
  places_.take_names_back();
  if (!replaces) places_.refuse_other_work(staged_.target());
  for (std::size_t i = 0; i < points(); ++i) finished_[i] = fs::is_directory(place(i)) && places_.is_certified(i);
  try {
    forget_strangers();
  } catch (...) {
    if (finished() == 0) staged_.discard();
    throw;
  }
  staged_.keep(finished() > 0);
}

SweepCheckpoint::~SweepCheckpoint() {
  if (finished() == 0) staged_.discard();
}

// What no point of this sweep is known by: attempts that were broken off, and points of other builds and scenarios.
void SweepCheckpoint::forget_strangers() {
  std::set<std::string> known{FolderLock::name};
  for (std::size_t i = 0; i < points(); ++i)
    if (finished_[i]) known.insert({place(i).filename().string(), places_.certificate(i).filename().string()});
  std::vector<fs::path> strangers;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (!known.contains(entry.path().filename().string())) strangers.push_back(entry.path());
  for (const fs::path& path : strangers) fs::remove_all(path);
}

void SweepCheckpoint::announce(const std::string& scenario, const std::vector<std::string>& names) {
  const Commit together(folder());  // these are no results that an interruption would tell of
  replace_file(folder() / "scenario.json", scenario, Links::refused);
  replace_file(folder() / PointPlaces::points_name, places_.announcement(names), Links::refused);
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
  replace_file(places_.certificate(point), places_.certificate_text(point), Links::refused);
  staged_.keep();
  const std::lock_guard alone(mutex_);
  finished_[point] = true;
}

void SweepCheckpoint::publish(const std::vector<std::string>& names) {
  Commit commit(target());
  for (std::size_t i = 0; i < points(); ++i) fs::rename(place(i), folder() / names[i]);
  staged_.publish();
  // Not before: until the results are in their place, a process that goes on knows by these what is finished.
  for (std::size_t i = 0; i < points(); ++i) fs::remove(target() / places_.certificate(i).filename());
  fs::remove(target() / PointPlaces::points_name);
  commit.done();
}

}  // namespace lagnet
