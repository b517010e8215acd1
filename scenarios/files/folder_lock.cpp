#include "scenarios/files/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

bool is_held_by_another(int file) { return ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

/// Whether the file still stands there: who had the lock before may have removed or renamed it.
bool stands_at(int file, const fs::path& path) {
  struct stat opened = {}, named = {};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
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
  const int file = ::open((folder / name).c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const bool held = is_held_by_another(file);
  ::close(file);
  return held;
}

FolderLock::FolderLock(const fs::path& folder, const fs::path& target) {
  const fs::path path = folder / name;
  for (int attempt = 0; attempt < 100; ++attempt) {
    make_folders(folder);
    file_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (file_ < 0 && errno == ENOENT) continue;  // the folder has just become the target
    if (file_ < 0) refuse(path);
    const bool held = is_held_by_another(file_);
    if (!held && stands_at(file_, path)) {
      for (int& spare : spare_) spare = ::fcntl(file_, F_DUPFD_CLOEXEC, 0);
      if (spare_.back() < 0) refuse(path);
      return;
    }
    ::close(std::exchange(file_, -1));
    if (held) break;
  }
  throw OutputError(fmt::format("{}: expected no other run or sweep that writes there, found one", target.string()));
}

void FolderLock::make_way() {
  for (int& spare : spare_)
    if (spare >= 0) ::close(std::exchange(spare, -1));
}

FolderLock::~FolderLock() {
  make_way();
  if (file_ >= 0) ::close(file_);
}

}  // namespace lagnet
