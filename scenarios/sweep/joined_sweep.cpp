#include "scenarios/sweep/joined_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

namespace lagnet {

namespace {

namespace fs = std::filesystem;

constexpr const char *publication = "publication", *set_aside = ".left";

/// What all that join a sweep do: these points in this build of lagnet.
std::string task_of(const std::vector<PointIdentity>& points, const std::vector<std::string>& names) {
  std::string all = build_identity();
  for (std::size_t i = 0; i < names.size(); ++i)
    all += "\n" + names[i] + "\n" + points[i].scenario + (points[i].inputs ? *points[i].inputs : "");
  return checksum(all);
}

std::vector<std::string> entries(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

bool is_of_member(const std::string& name) {
  const std::string begun = std::string(Membership::suffix) + ".partial";
  return fs::path(name).extension() == Membership::suffix || name.ends_with(begun);
}

/// What runs in a folder for a member, be it for nothing.
bool is_of_attempt(const std::string& name, const fs::path& folder) {
  if (fs::path(name).extension() != PointPlaces::running_suffix) return false;
  const std::string member = fs::path(name).stem().extension().string();  // with its dot
  std::error_code ignored;
  return !member.empty() && fs::exists(folder / (member.substr(1) + Membership::suffix), ignored);
}

/// The files of members are left alone until they find the results published: nobody sees his own go before that.
enum class MemberFiles { stay, go };

/// Removes all in a folder but the lock and these. Who was silent for long may still be adding files: further passes
/// take what the first has missed.
void forget_all_but(const std::vector<std::string>& names, const fs::path& folder, MemberFiles members) {
  const std::set<std::string> known(names.begin(), names.end());
  std::error_code ignored;
  for (const std::string& name : entries(folder)) {
    if (name == FolderLock::name || known.contains(name)) continue;
    if (members == MemberFiles::stay && (is_of_member(name) || is_of_attempt(name, folder))) continue;
    for (int pass = 0; pass < 100 && fs::exists(fs::symlink_status(folder / name, ignored)); ++pass)
      fs::remove_all(folder / name, ignored);
  }
}

/// What was written beside the points' folders, not what processes put there that join now.
std::vector<std::string> results_in(const fs::path& folder) {
  std::vector<std::string> results = entries(folder);
  std::erase_if(results, [&](const std::string& name) {
    const fs::path kind = fs::path(name).extension();
    return !fs::is_regular_file(folder / name) || name == FolderLock::name || name == PointPlaces::points_name ||
           is_of_member(name) || kind == ".partial" || kind == PointPlaces::finished_suffix;
  });
  return results;
}

}  // namespace

bool is_being_published(const fs::path& folder) { return Claim::is_taken(folder, publication); }

void forget_publisher(const fs::path& target) {
  std::error_code ignored;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(target, ignored)) {
    const std::string name = entry.path().filename().string();
    if (is_of_member(name) || name == FolderLock::name || name.ends_with(Claim::suffix) ||
        name == PointPlaces::points_name || name.ends_with(PointPlaces::finished_suffix) ||
        name.ends_with(PointPlaces::running_suffix))
      left.push_back(entry.path());
  }
  for (const fs::path& path : left) fs::remove_all(path, ignored);
}

JoinedSweep::JoinedSweep(const fs::path& target, const std::vector<PointIdentity>& points,
                         const std::vector<std::string>& names, std::chrono::milliseconds silence, bool is_anew,
                         bool replaces)
    : staged_(target, StagedFolder::Remains::kept, FolderLock::Sharing::shared),
      places_(folder(), points),
      names_(names),
      finished_(points.size()) {
  for (std::size_t i = 0; i < points.size(); ++i) certificates_[places_.certificate(i).filename().string()] = i;
  const std::string task = task_of(points, names);
  member_.emplace(folder(), task, silence, is_anew);
  refuse_other_tasks(task);
  if (!replaces) places_.refuse_other_work(staged_.target());
  if (!places_.has_named()) return;
  if (const auto alone = Claim::take(*member_, publication)) places_.take_names_back();
}

// Each process says what it does before it looks what others do: of two that differ one is refused at least.
void JoinedSweep::refuse_other_tasks(const std::string& task) const {
  for (const Member& other : member_->all_at_work())
    if (other.task != task)
      throw OutputError(
          fmt::format("{}: expected processes that run the same points with the same build of lagnet, found {}, which "
                      "has joined with other ones",
                      target().string(), other.shown));
}

// Two processes may write the same at a time: each has a file of its own until then.
void JoinedSweep::replace(const fs::path& file, const std::string& text) const {
  const fs::path made = member_->scratch();
  write_file(made, text);
  fs::rename(made, file);
}

void JoinedSweep::announce(const std::string& scenario) {
  const Commit together(folder());
  replace(folder() / "scenario.json", scenario);
  replace(folder() / PointPlaces::points_name, places_.announcement(names_));
}

// A process that publishes may have given the point's folder its name, or one that goes on after it was killed may be
// taking the name back.
fs::path JoinedSweep::place(std::size_t point) const {
  const fs::path place = places_.place(point), named = folder() / names_[point];
  std::error_code ignored;
  return !fs::is_directory(place, ignored) && fs::is_directory(named, ignored) ? named : place;
}

bool JoinedSweep::is_complete(std::size_t point) const {
  std::error_code ignored;
  try {
    if (!places_.is_certified(point)) return false;
    // It may get a name, or lose it, between two looks, but not both.
    const fs::path place = places_.place(point), named = folder() / names_[point];
    const auto is_there = [&](const fs::path& at) { return fs::is_directory(at, ignored); };
    return is_there(place) || is_there(named) || is_there(place);
  } catch (const OutputError&) {
    if (fs::exists(places_.certificate(point), ignored)) throw;
    return false;  // it has just gone
  }
}

std::vector<std::size_t> JoinedSweep::found() const {
  std::vector<std::size_t> points;
  std::error_code gone;
  for (fs::directory_iterator at(folder(), gone), end; !gone && at != end; at.increment(gone))
    if (const auto found = certificates_.find(at->path().filename().string()); found != certificates_.end())
      points.push_back(found->second);
  std::ranges::sort(points);
  return points;
}

bool JoinedSweep::is_finished(std::size_t point) {
  const std::lock_guard alone(mutex_);
  if (!finished_[point]) finished_[point] = is_complete(point);
  return finished_[point];
}

JoinedSweep::Attempt::Attempt(Claim claim, fs::path folder)
    : claim_(std::move(claim)), folder_(std::move(folder)), unfinished_(std::in_place, folder_) {}

JoinedSweep::Attempt::~Attempt() {
  std::error_code ignored;
  if (unfinished_) fs::remove_all(folder_, ignored);
}

const fs::path& JoinedSweep::Attempt::begin() const {
  fs::remove_all(folder_);
  return folder_;
}

std::unique_ptr<JoinedSweep::Attempt> JoinedSweep::take(std::size_t point) {
  if (is_finished(point) || is_being_published(folder())) return nullptr;
  auto claim = Claim::take(*member_, places_.key(point));
  if (!claim || is_finished(point)) return nullptr;
  // Of another build. A file that is not seen may be there: file systems with caches show others' files late.
  std::error_code none;
  if (fs::exists(places_.certificate(point), none) && !places_.is_certified(point))
    fs::remove(places_.certificate(point), none);
  const std::string name = fmt::format("{}.{}{}", places_.key(point), member_->name(), PointPlaces::running_suffix);
  return std::make_unique<Attempt>(std::move(*claim), folder() / name);
}

// What is in its place without a certificate, another build or a process that was killed between two steps has left, or
// it is of one that is just as far as this one: files of either will do. What has a certificate was first.
void JoinedSweep::put_in_place(std::size_t point, Attempt& attempt) {
  constexpr int most = 100;
  const fs::path place = places_.place(point);
  for (int i = 0; i < most; ++i) {
    std::error_code failed, gone;
    fs::rename(attempt.folder_, place, failed);
    if (!failed) return attempt.unfinished_.reset();
    if (!fs::is_directory(place) || i + 1 == most)
      throw OutputError(fmt::format("{}: cannot be written: {}", place.string(), failed.message()), failed);
    if (is_complete(point)) return;
    const std::string unique = member_->scratch().stem().stem().string();
    fs::rename(place, folder() / fmt::format("{}.{}{}", places_.key(point), unique, set_aside), gone);
  }
}

void JoinedSweep::finish(std::size_t point, Attempt& attempt) {
  Commit commit(places_.place(point));
  if (is_over() || (is_being_published(folder()) && is_complete(point))) return;
  put_in_place(point, attempt);
  replace(places_.certificate(point), places_.certificate_text(point));
  const std::lock_guard alone(mutex_);
  finished_[point] = true;
}

bool JoinedSweep::publish(const std::function<void()>& write) {
  std::optional<Claim> claim;
  try {
    if (auto taken = Claim::take(*member_, publication)) claim.emplace(std::move(*taken));
  } catch (const OutputError&) {  // who publishes removes what comes now
    if (!is_ending()) throw;
  }
  if (!claim || is_over()) return false;
  places_.take_names_back();
  const std::string claim_name = std::string(publication) + Claim::suffix;
  std::vector<std::string> known{claim_name, PointPlaces::points_name};  // by which others would go on
  {
    const std::lock_guard alone(mutex_);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      finished_[i] = is_complete(i);  // who was killed while it published may have undone that
      if (!finished_[i]) return false;
      known.push_back(places_.certificate(i).filename().string());
    }
  }
  std::vector<std::string> kept = known;
  for (std::size_t i = 0; i < names_.size(); ++i) kept.push_back(place(i).filename().string());
  forget_all_but(kept, folder(), MemberFiles::stay);
  write();

  Commit commit(target());
  if (!claim->is_held()) return false;  // this process was silent for too long
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (place(i) == places_.place(i)) fs::rename(place(i), folder() / names_[i]);
  std::vector<std::string> results = results_in(folder());
  results.insert(results.end(), names_.begin(), names_.end());
  known.insert(known.end(), results.begin(), results.end());
  forget_all_but(known, folder(), MemberFiles::stay);
  staged_.publish();
  // Not before: until now a kill leaves all that finished points need.
  forget_all_but(results, target(), MemberFiles::go);
  member_.reset();
  commit.done();
  return true;
}

void JoinedSweep::leave() {
  member_.reset();
  std::error_code ignored;
  const auto is_of_another = [](const fs::directory_entry& entry) {
    return entry.path().filename() != FolderLock::name;
  };
  if (is_over() || std::any_of(fs::directory_iterator(folder(), ignored), {}, is_of_another)) return;
  fs::remove(folder() / FolderLock::name, ignored);
  fs::remove(folder(), ignored);
}

}  // namespace lagnet
