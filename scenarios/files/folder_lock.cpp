#include "scenarios/files/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "scenarios/files/pattern.hpp"
#include "scenarios/files/result_folder.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

bool is_held_by_another(int file, int kind = LOCK_EX) {
  return ::flock(file, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

// A process that only looks whether a lock is free has it for a moment, which is no reason to refuse another one.
constexpr int looks_max = 20;
constexpr std::chrono::milliseconds between_looks{20};

int opened_lock(const fs::path& path, int flags = 0) {
  return ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
}

std::optional<Share> share_of_lock(const std::string& name) {
  static const Pattern form("part-([0-9]{1,6})-of-([0-9]{1,6})-([0-9a-f]{8})[.]lock");
  const auto found = form.match(name);
  if (!found) return std::nullopt;
  return Share{.number = std::stoul((*found)[1]), .of = std::stoul((*found)[2]), .work = (*found)[3]};
}

/// The shares that processes have, in the order of their numbers.
std::vector<Share> shares_at_work(const fs::path& folder) {
  std::vector<Share> shares;
  std::error_code gone;
  for (fs::directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone)) {
    const auto share = share_of_lock(at->path().filename().string());
    const int file = share ? opened_lock(at->path()) : -1;
    if (file < 0) continue;
    if (is_held_by_another(file)) shares.push_back(*share);
    ::close(file);
  }
  std::ranges::sort(shares, {}, [](const Share& share) { return std::pair(share.of, share.number); });
  return shares;
}

/// What a process finds that wants a folder alone.
std::string found_in(const fs::path& folder) {
  const std::vector<Share> shares = shares_at_work(folder);
  if (shares.empty()) return "expected no other run or sweep that writes there, found one";
  std::vector<std::string> names;
  for (const Share& share : shares) names.push_back(share.shown());
  return fmt::format("expected no other process that writes there, found part{} {}, still running: wait until {}",
                     names.size() == 1 ? "" : "s", fmt::join(names, ", "),
                     names.size() == 1 ? "it has ended" : "they have ended");
}

/// `reason`: errno.
[[noreturn]] void fail_locking(const fs::path& path, int reason) {
  const std::error_code code(reason, std::generic_category());
  throw OutputError(fmt::format("{}: cannot be written: {}", path.string(), code.message()), code);
}

/// Whether the file still stands there: who had the lock before may have removed or renamed it. It is opened to see, if
/// it can be: caches of file systems answer who only asks.
bool stands_at(int file, const fs::path& path) {
  const int there = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (there < 0 && errno == ENOENT) return false;
  struct stat opened = {}, named = {};
  const bool is_there = (there < 0 ? ::lstat(path.c_str(), &named) : ::fstat(there, &named)) == 0;
  if (there >= 0) ::close(there);
  return is_there && ::fstat(file, &opened) == 0 && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

void FolderLock::refuse(const fs::path& path) {
  const int reason = errno;
  std::error_code ignored;
  make_way();
  if (file_ >= 0) fs::remove(path, ignored);
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  fs::remove(path.parent_path(), ignored);  // if it is empty: nothing came of it
  fail_locking(path, reason);
}

std::string Share::shown() const { return fmt::format("{}/{}", number, of); }

std::optional<Share> share_of(const std::string& text) {
  static const Pattern form("([0-9]{1,6})/([0-9]{1,6})");
  const auto found = form.match(text);
  if (!found) return std::nullopt;
  const Share share{.number = std::stoul((*found)[1]), .of = std::stoul((*found)[2])};
  return share.number >= 1 && share.number <= share.of ? std::optional(share) : std::nullopt;
}

std::string FolderLock::name_of(const Share& share) {
  return fmt::format("part-{}-of-{}-{}.lock", share.number, share.of, share.work);
}

bool FolderLock::is_of_share(const std::string& name) { return share_of_lock(name).has_value(); }

bool FolderLock::is_held(const fs::path& folder) {
  const int file = opened_lock(folder / name);
  if (file < 0) return false;
  const bool held = is_held_by_another(file);
  ::close(file);
  return held;
}

FolderLock::FolderLock(const fs::path& folder, const fs::path& target) : FolderLock(folder, target, Sharing::alone) {}

FolderLock::FolderLock(const fs::path& folder, const fs::path& target, const Share& share)
    : FolderLock(folder, target, Sharing::shared) {
  take_share(folder, target, share);
}

FolderLock::FolderLock(const fs::path& folder, const fs::path& target, Sharing sharing) {
  const fs::path path = folder / name;
  const bool is_shared = sharing == Sharing::shared;
  int held_looks = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    make_folders(folder.parent_path());
    make_folder(folder);  // no link to one
    file_ = opened_lock(path, O_CREAT);
    if (file_ < 0 && errno == ENOENT) continue;  // the folder has just become the target
    if (file_ < 0) refuse(path);
    const bool held = is_held_by_another(file_, is_shared ? LOCK_SH : LOCK_EX);
    if (!held && stands_at(file_, path)) {
      for (int& spare : spare_) spare = ::fcntl(file_, F_DUPFD_CLOEXEC, 0);
      if (spare_.back() < 0) refuse(path);
      return;
    }
    ::close(std::exchange(file_, -1));
    if (!held) continue;
    if (!is_shared || ++held_looks == looks_max) break;
    std::this_thread::sleep_for(between_looks);
  }
  throw OutputError(fmt::format("{}: {}", target.string(), found_in(folder)));
}

// A process takes its share before it looks at others: of two that do not go together one is refused at least.
void FolderLock::take_share(const fs::path& folder, const fs::path& target, const Share& share) {
  const auto refuse_for = [&](const std::string& why) {
    throw OutputError(fmt::format("{}: {}", target.string(), why));
  };
  const fs::path path = folder / name_of(share);
  share_ = opened_lock(path, O_CREAT);
  if (share_ < 0) fail_locking(path, errno);
  for (int look = 1; is_held_by_another(share_); ++look) {
    if (look == looks_max)
      refuse_for(fmt::format("expected no other process that runs part {}, found one", share.shown()));
    std::this_thread::sleep_for(between_looks);
  }
  for (const Share& other : shares_at_work(folder)) {
    if (other.work != share.work)
      refuse_for(
          fmt::format("expected parts of the same points by the same build of lagnet, found part {} of other "
                      "work, still running",
                      other.shown()));
    if (other.of != share.of)
      refuse_for(fmt::format("expected parts K/{}, found part {}, still running", share.of, other.shown()));
  }
}

void FolderLock::make_way() {
  for (int& spare : spare_)
    if (spare >= 0) ::close(std::exchange(spare, -1));
}

FolderLock::~FolderLock() {
  make_way();
  for (const int file : {share_, file_})
    if (file >= 0) ::close(file);
}

}  // namespace lagnet
