#pragma once

#include <filesystem>

namespace lagnet {

/// The right to write to a folder, which one process has at a time: an advisory lock (flock) on a file in it. It ends
/// with the process. On file systems without locks every process has the right.
class FolderLock {
 public:
  /// The file's name.
  static constexpr const char* name = "lagnet.lock";

  /// Whether some process has it; false for a folder that does not exist.
  static bool is_held(const std::filesystem::path& folder);

  /// Makes the folder if it does not exist. `target`: what messages call it. Throws OutputError if another process has
  /// the right, or nothing can be written there.
  FolderLock(const std::filesystem::path& folder, const std::filesystem::path& target);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace lagnet
