#include "scenarios/files/result_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <vector>

#include "scenarios/files/canonical_path.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

namespace fs = std::filesystem;

OutputError::OutputError(const std::string& what, const std::error_code& code) : std::runtime_error(what) {
  constexpr std::array lacking{ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM, EIO};
  is_of_system = std::ranges::find(lacking, code.value()) != lacking.end();
}

bool is_result_folder(const fs::path& folder) {
  std::error_code none;
  const auto has = [&](const char* name) { return fs::is_regular_file(folder / name, none); };
  return has("scenario.json") && (has("summary.json") || has("sweep.csv") || has("candidates.csv"));
}

namespace {

/// Whether a folder's name is that of a point: 007, or of a tuning 007_latency_0.8 or 007_seed_3; unfinished sweeps
/// have others.
bool is_name_of_folder(const std::string& name) {
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  if (digits == 0) return name.starts_with("point-");
  return digits == name.size() || name.substr(digits).starts_with("_latency_") ||
         name.substr(digits).starts_with("_seed_");
}

bool is_name_of_file(const std::string& name) {
  static const std::set<std::string> ours{
      "scenario.json", "progress.csv",      "agents.csv",     "links.csv", "staleness.csv",
      "samples.csv",   "sites.csv",         "model.csv",      "model.npy", "model_history.npy",
      "summary.json",  "trace.jsonl",       "timeline.json",  "sweep.csv", "sweep.json",
      "report.html",   "error.txt",         "candidates.csv", "tune.json", "tuned.json",
      "points.json",   "critical_path.csv", "resources.csv",  "build.txt", FolderLock::name};
  return ours.contains(name) || FolderLock::is_of_share(name) ||
         (name.starts_with("point-") && name.ends_with(".finished"));
}

/// An entry of a folder, or of its points, that lagnet did not write; "" if there is none. Entries that disappear
/// meanwhile do not count, since other processes may work there.
std::string foreign_entry(const fs::path& folder) {
  std::set<std::string> foreign;  // in an order that does not depend on the file system
  std::error_code gone;
  const fs::directory_iterator entries(folder, gone);
  if (gone == std::errc::no_such_file_or_directory) return "";
  if (gone) throw fs::filesystem_error("cannot be read", folder, gone);
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (!fs::exists(entry.symlink_status(gone))) continue;
    if (entry.is_symlink(gone)) {  // lagnet makes none, and what it names is not lagnet's
      foreign.insert(name);
    } else if (!entry.is_directory(gone)) {
      const bool is_begun = name.ends_with(".partial");  // an attempt to replace the file
      if (!is_name_of_file(is_begun ? fs::path(name).stem().string() : name)) foreign.insert(name);
    } else if (!is_name_of_folder(name)) {
      foreign.insert(name);
    } else if (const std::string inner = foreign_entry(entry.path()); !inner.empty()) {
      foreign.insert(name + "/" + inner);
    }
  }
  return foreign.empty() ? "" : *foreign.begin();
}

bool has_finished_points(const fs::path& folder) {
  return std::ranges::any_of(fs::directory_iterator(folder),
                             [](const auto& entry) { return entry.path().extension() == ".finished"; });
}

/// Of a folder beside the target, which is going to be removed or gone on with.
void check_leftover(const fs::path& folder, StagedFolder::Remains remains) {
  const auto refuse = [&](const std::string& found) {
    throw OutputError(fmt::format("{}: expected no such folder, or the remains of an interrupted run, found {}",
                                  folder.string(), found));
  };
  try {
    if (!fs::exists(fs::symlink_status(folder))) return;
    if (!fs::is_directory(fs::symlink_status(folder))) refuse("a file");
    if (const std::string name = foreign_entry(folder); !name.empty()) refuse(name + " in it");
    if (remains == StagedFolder::Remains::removed && has_finished_points(folder))
      refuse("finished points of a sweep: continue it, or remove them");
  } catch (const fs::filesystem_error& error) {
    throw OutputError(fmt::format("{}: cannot be read: {}", folder.string(), error.code().message()), error.code());
  }
}

}  // namespace

void check_replaceable(const fs::path& named) {
  const auto refuse = [&](const std::string& found) {
    throw OutputError(
        fmt::format("{}: expected a new folder, an empty one, or one that contains only earlier results, found {}",
                    named.string(), found));
  };
  const fs::path target = canonical_path(named);
  try {
    for (fs::path around = target.parent_path(); around.has_relative_path(); around = around.parent_path())
      if (is_result_folder(around)) refuse("a place within the results " + around.string());
    if (fs::is_symlink(target)) refuse("a symbolic link");
    if (!fs::exists(target)) return;
    if (!fs::is_directory(target)) refuse("a file");
    if (fs::is_empty(target)) return;
    if (const std::string name = foreign_entry(target); !name.empty()) refuse(name + " in it");
    if (!is_result_folder(target)) refuse("only a part of them");
  } catch (const fs::filesystem_error& error) {
    throw OutputError(fmt::format("{}: cannot be read: {}", named.string(), error.code().message()), error.code());
  }
}

fs::path partial_of(const fs::path& path) {
  fs::path partial = path.has_filename() ? path : path.parent_path();
  partial += ".partial";
  return partial;
}

StagedFolder::StagedFolder(const fs::path& target, Remains remains, const std::optional<Share>& share)
    : target_(canonical_path(target)), staging_(partial_of(target_)), remains_(remains) {
  check_replaceable(target);
  if (!FolderLock::is_held(staging_)) check_leftover(staging_, remains_);  // else its owner is writing there
  check_leftover(replaced(), Remains::removed);
  {
    const Commit together(target_);
    if (share)
      lock_.emplace(staging_, target_, *share);
    else
      lock_.emplace(staging_, target_);
    unfinished_.emplace(staging_);  // not before: until then it may be another process's
    std::error_code ignored;
    const auto has_leftover = [&] { return std::distance(fs::directory_iterator(staging_, ignored), {}) > 1; };
    if (share || (remains_ == Remains::kept && has_leftover())) keep();  // which is more than the lock
  }
  if (remains_ == Remains::removed) clear();
}

StagedFolder::~StagedFolder() {
  if (remains_ == Remains::removed) discard();
}

fs::path StagedFolder::replaced() const { return target_.string() + ".replaced"; }

void StagedFolder::clear() {
  std::vector<fs::path> entries;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(staging_, ignored))
    if (entry.path().filename() != FolderLock::name) entries.push_back(entry.path());
  for (const fs::path& path : entries) fs::remove_all(path, ignored);
}

// The lock goes last: a process that starts meanwhile is refused, or creates a folder that is not empty and stays.
void StagedFolder::discard() {
  if (published_) return;
  lock_->make_way();
  clear();
  std::error_code ignored;
  fs::remove(staging_ / FolderLock::name, ignored);
  fs::remove(staging_, ignored);
}

namespace {

/// Puts `fresh` in the place of `target`, which moves to `old`; in one step, so that a kill loses neither, where the
/// file system can.
void exchange(const fs::path& fresh, const fs::path& target, const fs::path& old) {
  if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0)
    return fs::rename(fresh, old);
  fs::rename(target, old);
  fs::rename(fresh, target);
}

}  // namespace

void StagedFolder::publish() {
  const fs::path old = replaced();
  Commit commit(target_);
  try {
    fs::remove_all(old);
    if (fs::exists(target_))
      exchange(staging_, target_, old);
    else
      fs::rename(staging_, target_);
    fs::remove(target_ / FolderLock::name);  // not before: no process may take the lock of a folder that is about to go
    fs::remove_all(old);
  } catch (const fs::filesystem_error& error) {
    throw OutputError(fmt::format("{}: cannot be replaced: {}", target_.string(), error.code().message()),
                      error.code());
  }
  published_ = true;
  commit.done();
  unfinished_.reset();
}

std::string checksum(const std::string& text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return fmt::format("{:08x}", crc.checksum());
}

std::string read_file(const fs::path& path) {
  if (const auto found = no_regular_file(path))
    throw OutputError(fmt::format("{}: expected a file, found {}", path.string(), *found));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.is_open() && !file.bad()) return text;
  const std::error_code why(errno, std::generic_category());
  throw OutputError(fmt::format("{}: cannot be read{}", path.string(), why ? ": " + why.message() : ""), why);
}

void make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw OutputError(fmt::format("{}: cannot be written: {}", path.string(), error.message()), error);
}

void make_folder(const fs::path& path) {
  struct stat found = {};
  if (::mkdir(path.c_str(), 0777) == 0) return;
  std::error_code error(errno, std::generic_category());
  if (error == std::errc::file_exists && ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) return;
  throw OutputError(fmt::format("{}: cannot be written: {}", path.string(), error.message()), error);
}

namespace {

/// errno where the stream has lost it: writing to an open file fails for want of space or of a working disk.
int reason_of_failure(const fs::path& path, int reason) {
  if (reason != 0) return reason;
  std::error_code unknown;
  const fs::space_info space = fs::space(path.parent_path().empty() ? fs::path(".") : path.parent_path(), unknown);
  return !unknown && space.available == 0 ? ENOSPC : EIO;
}

/// `reason`: errno.
[[noreturn]] void fail_writing(const fs::path& path, int reason) {
  const std::error_code code(reason, std::generic_category());
  std::error_code unknown;
  const std::string why = reason == ENXIO                                    ? "a pipe that nobody reads"
                          : reason == ELOOP && fs::is_symlink(path, unknown) ? "expected a file, found a symbolic link"
                                                                             : code.message();
  throw OutputError(fmt::format("{}: cannot be written: {}", path.string(), why), code);
}

/// `flags`: beside those that all files are opened with.
std::ofstream opened(const fs::path& path, const fs::path& named, int flags) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | flags, 0666);
  if (file < 0) fail_writing(named, errno);
  // The stream has what was opened, whatever has the name by now, and waits where the other side is slow.
  std::ofstream stream(fmt::format("/proc/self/fd/{}", file), std::ios::binary);
  if (!stream) stream.open(path, std::ios::binary);  // where the system shows no such names
  const int reason = errno;
  ::close(file);
  if (!stream && (flags & O_EXCL) != 0) ::unlink(path.c_str());
  if (!stream) fail_writing(named, reason);
  return stream;
}

}  // namespace

void append_to(std::ofstream& file, const fs::path& path, std::string_view text) {
  errno = 0;
  file << text << std::flush;
  if (!file) fail_writing(path, reason_of_failure(path, errno));
}

void close_written(std::ofstream& file, const fs::path& path) {
  errno = 0;
  file.close();
  if (!file) fail_writing(path, reason_of_failure(path, errno));
}

std::ofstream open_for_writing(const fs::path& path, Links links) {
  return opened(path, path, O_TRUNC | (links == Links::refused ? O_NOFOLLOW : 0));
}

void write_file(const fs::path& path, const std::string& content) {
  std::ofstream file = open_for_writing(path);
  append_to(file, path, content);
  close_written(file, path);
}

void replace_file(const fs::path& path, const std::string& content, Links links) {
  std::error_code error, ignored;
  const fs::file_status now = links == Links::followed ? fs::status(path, ignored) : fs::symlink_status(path, ignored);
  if (fs::is_directory(now)) throw OutputError(fmt::format("{}: expected a file, found a folder", path.string()));
  if (links == Links::followed) {
    const bool is_there = fs::exists(now), is_link = fs::is_symlink(path, ignored);
    if (is_link && fs::is_regular_file(now)) return replace_file(fs::canonical(path), content);
    if (is_there ? !fs::is_regular_file(now) : is_link) {  // a device or a pipe, or a link to a file that is to come
      std::ofstream file = open_for_writing(path, links);
      append_to(file, path, content);
      return close_written(file, path);
    }
  }
  const fs::path partial = partial_of(path);
  std::optional<Unfinished> unfinished;
  std::ofstream file;
  {
    const Commit together(path);  // an interruption removes what is there, and nothing may be made after it
    unfinished.emplace(partial);
    if (!fs::is_directory(fs::symlink_status(partial, ignored)))
      fs::remove(partial, ignored);  // an earlier attempt, or a link from elsewhere
    file = opened(partial, path, O_EXCL | O_NOFOLLOW);
  }
  try {
    append_to(file, path, content);
    close_written(file, path);
  } catch (const OutputError&) {
    fs::remove(partial, ignored);
    throw;
  }
  Commit commit(path);
  fs::rename(partial, path, error);
  if (!error) return commit.done();
  fs::remove(partial, ignored);
  throw OutputError(fmt::format("{}: cannot be written: {}", path.string(), error.message()), error);
}

}  // namespace lagnet
