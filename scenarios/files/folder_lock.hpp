#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lagnet {

/// What one of several processes does in a folder: every N-th piece of the work, from the K-th on. No piece is in two
/// shares.
struct Share {
  std::size_t number = 1, of = 1;  // K and N, from 1 on
  std::string work = {};           // identifies the work: 8 hexadecimal digits

  bool has(std::size_t piece) const { return piece % of == number - 1; }
  std::string shown() const;  // "2/5"
};

/// The share that "2/5" names; nothing if the text has another form.
std::optional<Share> share_of(const std::string& text);

/// The right to write to a folder: an advisory lock (flock) on a file in it. One process has it at a time, or one
/// process for each share of the same work. It ends with the process. On file systems without locks every process has
/// the right.
class FolderLock {
 public:
  /// The file's name.
  static constexpr const char* name = "lagnet.lock";
  /// The name of the file by which a process has a share, and whether a file has such a name.
  static std::string name_of(const Share& share);
  static bool is_of_share(const std::string& name);

  /// Whether some process has the right; false for a folder that does not exist.
  static bool is_held(const std::filesystem::path& folder);

  /// Makes the folder if it does not exist. `target`: what messages call it. Throws OutputError if another process has
  /// the right, or nothing can be written there.
  FolderLock(const std::filesystem::path& folder, const std::filesystem::path& target);
  /// The same for a share. Throws OutputError also if a process has this share, or one of other work or of another
  /// number of shares.
  FolderLock(const std::filesystem::path& folder, const std::filesystem::path& target, const Share& share);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  /// Gives back what lets its holder look into folders though no more files may be open.
  void make_way();

 private:
  enum class Sharing { alone, shared };
  FolderLock(const std::filesystem::path& folder, const std::filesystem::path& target, Sharing sharing);
  void take_share(const std::filesystem::path& folder, const std::filesystem::path& target, const Share& share);
  [[noreturn]] void refuse(const std::filesystem::path& path);  // as the system did

  int file_ = -1, share_ = -1;
  std::array<int, 2> spare_ = {-1, -1};  // duplicates of it, for removing a folder in a folder
};

}  // namespace lagnet
