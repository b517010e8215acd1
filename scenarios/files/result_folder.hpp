#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "scenarios/files/folder_lock.hpp"
#include "scenarios/files/interruption.hpp"

namespace lagnet {

/// A file or folder of results cannot be written, replaced or read.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  OutputError(const std::string& what, const std::error_code& code);  // that the system gave
  bool is_of_system = false;  // disk, quota or open files, not the user's request
};

/// Makes a result folder appear complete or not at all: everything is written to a folder beside it, named
/// `<target>.partial`, which takes its place at the end. A run that is killed leaves nothing that looks like a result.
/// Until the folder is published or discarded, no other process can make one for that target.
class StagedFolder {
 public:
  /// The fate of an unpublished folder beside the target: it is removed, or the next run continues from it.
  enum class Remains { removed, kept };
  /// With a share, other processes have theirs, and what is in the folder is kept. Throws OutputError as
  /// check_replaceable and FolderLock do.
  explicit StagedFolder(const std::filesystem::path& target, Remains remains = Remains::removed,
                        const std::optional<Share>& share = {});
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& target() const { return target_; }
  /// Where files go until then.
  const std::filesystem::path& folder() const { return staging_; }
  /// From now on what is in it is of use to the next run, or not: an interruption leaves it, or removes it. What was in
  /// it before is kept until this is said.
  void keep(bool wanted = true) { unfinished_->keep(wanted); }
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
  std::optional<Unfinished> unfinished_;
  bool published_ = false;
};

/// The name of a file or folder while it is written: `<path>.partial`.
std::filesystem::path partial_of(const std::filesystem::path& path);

/// Throws OutputError unless the target is new, an empty folder or one with only earlier results, so that no other
/// files are lost, nor the target of a symbolic link.
void check_replaceable(const std::filesystem::path& target);

/// The CRC-32 (ISO 3309, as in gzip) of a text, 8 hexadecimal digits: no change of a single byte leaves it the same.
std::string checksum(const std::string& text);

/// Throws OutputError if it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Throws OutputError if a folder cannot be made.
void make_folders(const std::filesystem::path& path);

/// Makes one folder in an existing folder, and no other: a folder that was just removed must not appear again. A folder
/// that is there already will do, a link to one will not. Throws OutputError if that cannot be done.
void make_folder(const std::filesystem::path& path);

/// The treatment of a symbolic link in the place of a file that is written. Links are followed only where a person has
/// named the path: others may have put them into a folder of results.
enum class Links { refused, followed };

/// Never waits: it refuses a pipe without a reader. Throws OutputError if that cannot be done.
std::ofstream open_for_writing(const std::filesystem::path& path, Links links = Links::refused);

/// Writes text to the file at `path`, and throws OutputError at once if the system does not take it.
void append_to(std::ofstream& file, const std::filesystem::path& path, std::string_view text);

/// Ends the writing of a file. Throws OutputError if any of it failed.
void close_written(std::ofstream& file, const std::filesystem::path& path);

/// Throws OutputError if it cannot be written.
void write_file(const std::filesystem::path& path, const std::string& content);

/// Writes a file that appears complete or not at all, in place of an older one. If links are followed, it replaces a
/// link's target, not the link, and writes to devices and pipes; otherwise it replaces any entry. Throws OutputError if
/// that cannot be done.
void replace_file(const std::filesystem::path& path, const std::string& content, Links links = Links::followed);

/// Whether a folder holds the results of a run or a sweep.
bool is_result_folder(const std::filesystem::path& folder);

}  // namespace lagnet
