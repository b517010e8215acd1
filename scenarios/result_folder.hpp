#pragma once

#include <filesystem>
#include <iosfwd>
#include <stdexcept>
#include <string>

namespace lagnet {

/// A file or folder of results cannot be written, replaced or read.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A folder that comes into being whole: everything is written to a folder beside it, named `<target>.partial`, which
/// takes its place at the end. A run that is killed leaves nothing that looks like a result.
class StagedFolder {
 public:
  /// Throws OutputError as check_replaceable does, or if nothing can be written there.
  explicit StagedFolder(std::filesystem::path target);
  ~StagedFolder();  // removes what was not published
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& target() const { return target_; }
  /// Where files go until then.
  const std::filesystem::path& folder() const { return staging_; }
  /// Throws OutputError if the target cannot be replaced.
  void publish();

 private:
  std::filesystem::path target_, staging_;
  bool published_ = false;
};

/// Throws OutputError unless the target is new, an empty folder or one with nothing but earlier results: nobody's files
/// are lost.
void check_replaceable(const std::filesystem::path& target);

/// Gives a complete folder the target's name, instead of what has it. Throws OutputError if that cannot be done.
void take_place(const std::filesystem::path& folder, const std::filesystem::path& target);

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

/// Whether a folder holds the results of a run or a sweep.
bool is_result_folder(const std::filesystem::path& folder);

}  // namespace lagnet
