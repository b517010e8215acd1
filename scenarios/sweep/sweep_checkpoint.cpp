#include "scenarios/sweep/sweep_checkpoint.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "scenarios/files/version.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "scenarios/json/json_file.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> keys_of(const std::vector<PointIdentity>& points) {
  std::vector<std::string> keys;
  std::map<std::string, int> seen;
  for (const PointIdentity& point : points) {
    const std::string sum = checksum(point.scenario);
    keys.push_back(fmt::format("point-{}-{}", sum, seen[sum]++));
  }
  return keys;
}

/// Shares go together if they are of these points in this build of lagnet.
std::optional<Share> with_work(std::optional<Share> share, const std::vector<PointIdentity>& points) {
  if (!share) return share;
  std::string all = build_identity();
  for (const PointIdentity& point : points) all += "\n" + point.scenario + (point.inputs ? *point.inputs : "");
  share->work = checksum(all);
  return share;
}

/// The key in the name of a point's folder.
std::string key_in(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.substr(0, name.find('.'));
}

/// A process that has lost its lock, as a network may come to that, does not write into the folders of the next one.
std::string name_of_process() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host.front() = '\0';
  std::string name = std::string(host.data()).substr(0, 40);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return fmt::format("{}-{}", name, ::getpid());
}

}  // namespace

SweepCheckpoint::SweepCheckpoint(const fs::path& target, std::vector<PointIdentity> points,
                                 std::vector<std::string> names, bool replaces, const std::optional<Share>& share)
    : points_(std::move(points)),
      names_(std::move(names)),
      keys_(keys_of(points_)),
      share_(with_work(share, points_)),
      staged_(target, StagedFolder::Remains::kept, share_),
      finished_(points_.size()) {
  take_names_back();
  if (!replaces) refuse_other_work();
  for (std::size_t i = 0; i < points_.size(); ++i) finished_[i] = is_complete(i);
  try {
    forget_strangers();
  } catch (...) {
    if (!share_ && finished() == 0) staged_.discard();
    throw;
  }
  if (!share_) staged_.keep(finished() > 0);
}

SweepCheckpoint::~SweepCheckpoint() {
  if (!share_ && finished() == 0) staged_.discard();
}

fs::path SweepCheckpoint::running(std::size_t point) const {
  return folder() / fmt::format("{}.{}{}", keys_[point], name_of_process(), running_suffix);
}

std::string SweepCheckpoint::certificate_text(std::size_t point) const {
  const PointIdentity& of = points_[point];
  return build_identity() + "\n" + of.scenario + (of.inputs ? "\n" + *of.inputs : "");
}

bool SweepCheckpoint::is_complete(std::size_t point) const {
  std::error_code none;
  return fs::is_directory(place(point), none) && fs::is_regular_file(certificate(point), none) &&
         read_file(certificate(point)) == certificate_text(point);
}

void SweepCheckpoint::refuse_other_work() const {
  const std::string ways_out = "choose another --out, or pass --replace to give up what is finished";
  std::set<std::string> own;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    own.insert(certificate(i).filename().string());
    std::error_code none;
    if (!fs::is_regular_file(certificate(i), none)) continue;
    const std::string text = read_file(certificate(i)), same = build_identity() + "\n" + points_[i].scenario;
    if (text == certificate_text(i) || !text.starts_with(same)) continue;
    const Json before = try_json(text.substr(same.size()));
    const Json now = points_[i].inputs ? parse_json(*points_[i].inputs) : Json::array();
    const auto changed = input_difference(before.is_array() ? before : Json::array(), now);
    throw OutputError(
        fmt::format("{}: the finished points of this sweep have read other data: {}; restore the file, {}",
                    target().string(), changed ? sentence(*changed) : "", ways_out));
  }
  std::size_t others = 0;
  std::error_code unreadable;  // which forget_strangers reports
  for (const auto& entry : fs::directory_iterator(folder(), unreadable))
    if (entry.path().extension() == finished_suffix && !own.contains(entry.path().filename().string())) ++others;
  if (others > 0)
    throw OutputError(
        fmt::format("{}: expected finished points of this sweep alone, found {} of another one, which was "
                    "interrupted: run that one to its end, {}",
                    target().string(), others, ways_out));
}

// A publication that was killed has given finished points their names. Of several processes that take them back one is
// the first.
void SweepCheckpoint::take_names_back() const {
  std::error_code failed;
  if (!fs::exists(folder() / points_name, failed)) return;
  const Json announced = try_json(read_file(folder() / points_name));
  if (!announced.is_array()) return;
  for (const Json& point : announced) {
    const std::string key = point.value("key", ""), name = point.value("folder", "");
    if (key.empty() || name.empty() || fs::path(name).filename() != name) continue;
    const fs::path named = folder() / name, place = folder() / key;
    if (!fs::exists(place.string() + finished_suffix, failed) || !fs::is_directory(named, failed)) continue;
    if (!fs::exists(place, failed)) fs::rename(named, place, failed);
    if (!fs::is_directory(place))
      throw OutputError(fmt::format("{}: cannot be written: {}", place.string(), failed.message()), failed);
  }
}

// What no point of this sweep is known by: attempts that were broken off, and points of other builds and scenarios. A
// process with a share removes attempts at its points alone.
void SweepCheckpoint::forget_strangers() const {
  std::set<std::string> known{FolderLock::name}, own;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (share_ && share_->has(i)) own.insert(keys_[i]);
    if (finished_[i]) known.insert({place(i).filename().string(), certificate(i).filename().string()});
  }
  std::vector<fs::path> strangers;
  for (const auto& entry : fs::directory_iterator(folder())) {
    const fs::path& path = entry.path();
    if (share_ ? path.extension() == running_suffix && own.contains(key_in(path))
               : !known.contains(path.filename().string()))
      strangers.push_back(path);
  }
  for (const fs::path& path : strangers) fs::remove_all(path);
}

// Several processes may write the same at a time: each has a file of its own until then.
void SweepCheckpoint::replace(const char* name, const std::string& text) const {
  const fs::path made = partial_of(folder() / (share_ ? FolderLock::name_of(*share_) : name));
  fs::remove(made);
  write_file(made, text);
  fs::rename(made, folder() / name);
}

void SweepCheckpoint::announce(const std::string& scenario) const {
  Json points = Json::array();
  for (std::size_t i = 0; i < points_.size(); ++i) points.push_back({{"key", keys_[i]}, {"folder", names_[i]}});
  const Commit together(folder());  // these are no results that an interruption would tell of
  replace("scenario.json", scenario);
  replace(points_name, points.dump() + "\n");
}

bool SweepCheckpoint::is_finished(std::size_t point) const {
  const std::lock_guard alone(mutex_);
  return finished_[point];
}

std::size_t SweepCheckpoint::finished() const {
  const std::lock_guard alone(mutex_);
  return static_cast<std::size_t>(std::ranges::count(finished_, true));
}

fs::path SweepCheckpoint::begin(std::size_t point) const {
  fs::remove_all(running(point));
  return running(point);
}

void SweepCheckpoint::give_up(std::size_t point) const {
  std::error_code ignored;
  fs::remove_all(running(point), ignored);
}

// A process that has lost its lock may have finished the point meanwhile: files of either will do.
void SweepCheckpoint::finish(std::size_t point) {
  Commit commit(place(point));
  if (is_complete(point)) {
    fs::remove_all(running(point));
  } else {
    fs::remove_all(place(point));
    fs::rename(running(point), place(point));
    replace_file(certificate(point), certificate_text(point), Links::refused);
  }
  staged_.keep();
  const std::lock_guard alone(mutex_);
  finished_[point] = true;
}

void SweepCheckpoint::publish() {
  Commit commit(target());
  for (std::size_t i = 0; i < points_.size(); ++i) fs::rename(place(i), folder() / names_[i]);
  staged_.publish();
  // Not before: until the results are in their place, a process that goes on knows by these what is finished.
  end_publication(target());
  commit.done();
}

void SweepCheckpoint::end_publication(const fs::path& target) {
  std::vector<fs::path> left{target / FolderLock::name, target / points_name};
  for (const auto& entry : fs::directory_iterator(target))
    if (entry.path().extension() == finished_suffix) left.push_back(entry.path());
  for (const fs::path& path : left) fs::remove(path);
}

}  // namespace lagnet
