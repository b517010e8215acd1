#pragma once

#include <array>
#include <filesystem>

namespace lagnet {

/// The right to write to a folder, which one process has at a time, or any number of processes that share it: an
/// advisory lock (flock) on a file in it. It ends with the process. On file systems without locks every process has the
/// right.
class FolderLock {
 public:
  /// The file's name.
  static constexpr const char* name = "lagnet.lock";

  enum class Sharing { alone, shared };

  /// Whether some process has it; false for a folder that does not exist.
  static bool is_held(const std::filesystem::path& folder);

  /// Makes the folder if it does not exist. `target`: what messages call it. Throws OutputError if another process has
  /// the right, or nothing can be written there.
  FolderLock(const std::filesystem::path& folder, const std::filesystem::path& target,
             Sharing sharing = Sharing::alone);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  /// Whether the folder is still where it was: it may have become the target, or gone.
  bool stands() const;
  /// Gives back what lets its holder look into folders though no more files may be open.
  void make_way();

 private:
  [[noreturn]] void refuse(const std::filesystem::path& path);  // as the system did
  std::filesystem::path path_;
  int file_ = -1;
  std::array<int, 2> spare_ = {-1, -1};  // duplicates of it, for removing a folder in a folder
};

}  // namespace lagnet
