#include "scenarios/files/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

bool is_held_by_another(int file, int kind = LOCK_EX) {
  return ::flock(file, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

// Who only looks whether the folder is free has it for a moment, which is no reason to refuse those that share it.
constexpr int looks_max = 20;
constexpr std::chrono::milliseconds between_looks{20};

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
  std::error_code code(errno, std::generic_category()), ignored;
  make_way();
  if (file_ >= 0) fs::remove(path, ignored);
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  fs::remove(path.parent_path(), ignored);  // if it is empty: nothing came of it
  throw OutputError(fmt::format("{}: cannot be written: {}", path.string(), code.message()), code);
}

bool FolderLock::is_held(const fs::path& folder) {
  const int file = ::open((folder / name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return false;
  const bool held = is_held_by_another(file);
  ::close(file);
  return held;
}

FolderLock::FolderLock(const fs::path& folder, const fs::path& target, Sharing sharing) : path_(folder / name) {
  const fs::path& path = path_;
  const bool is_shared = sharing == Sharing::shared;
  int held_looks = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    make_folders(folder.parent_path());
    make_folder(folder);  // no link to one
    file_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
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
  throw OutputError(fmt::format(
      "{}: expected {}, found one that does", target.string(),
      is_shared ? "no run or sweep that writes there and is not joined" : "no other run or sweep that writes there"));
}

bool FolderLock::stands() const { return stands_at(file_, path_); }

void FolderLock::make_way() {
  for (int& spare : spare_)
    if (spare >= 0) ::close(std::exchange(spare, -1));
}

FolderLock::~FolderLock() {
  make_way();
  if (file_ >= 0) ::close(file_);
}

}  // namespace lagnet
