#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>

#include "scenarios/files/folder_lock.hpp"

namespace lagnet {

/// A file or folder of results cannot be written, replaced or read.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A folder that comes into being whole: everything is written to a folder beside it, named `<target>.partial`, which
/// takes its place at the end. A run that is killed leaves nothing that looks like a result. Until it is published or
/// discarded no other process makes one for that target.
class StagedFolder {
 public:
  /// What is in the folder beside the target without having been published: nobody wants it, or the next one goes on
  /// from there.
  enum class Remains { removed, kept };
  /// Throws OutputError as check_replaceable does, or if nothing can be written there, or another process does.
  explicit StagedFolder(const std::filesystem::path& target, Remains remains = Remains::removed);
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& target() const { return target_; }
  /// Where files go until then.
  const std::filesystem::path& folder() const { return staging_; }
  /// Throws OutputError if the target cannot be replaced.
  void publish();
  /// Removes the folder beside the target, unless it was published.
  void discard();

 private:
  std::filesystem::path replaced() const;  // where the old results are for a moment
  void clear();                            // removes all but the lock

  std::filesystem::path target_, staging_;
  Remains remains_;
  std::optional<FolderLock> lock_;
  bool published_ = false;
};

/// Under which name a file or folder comes into being: `<path>.partial`.
std::filesystem::path partial_of(const std::filesystem::path& path);

/// Throws OutputError unless the target is new, an empty folder or one with nothing but earlier results: nobody's files
/// are lost. Neither is what a symbolic link names.
void check_replaceable(const std::filesystem::path& target);

/// The CRC-32 (ISO 3309, as in gzip) of a text, 8 hexadecimal digits: no change of a single byte leaves it the same.
std::string checksum(const std::string& text);

/// Throws OutputError if it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Throws OutputError if a folder cannot be made.
void make_folders(const std::filesystem::path& path);

/// Makes one folder in a folder that is there; no other one, so that none comes into being again that was just removed.
/// Throws OutputError if that cannot be done.
void make_folder(const std::filesystem::path& path);

/// Ends the writing of a file. Throws OutputError if any of it failed.
void close_written(std::ofstream& file, const std::filesystem::path& path);

/// Throws OutputError if it cannot be written.
void write_file(const std::filesystem::path& path, const std::string& content);

/// Writes a file that comes into being whole, in the place of an older one; what a symbolic link names is replaced, not
/// the link, and devices and pipes are written to. Throws OutputError if that cannot be done.
void replace_file(const std::filesystem::path& path, const std::string& content);

/// Whether a folder holds the results of a run or a sweep.
bool is_result_folder(const std::filesystem::path& folder);

}  // namespace lagnet
