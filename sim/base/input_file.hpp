#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lagnet {

/// What a path is where it is no regular file: `if_missing`, "a folder", "a pipe", "a device", "a socket", or why it
/// cannot be looked at. Every reader asks first: a pipe would let it wait for ever, and a device never end.
std::optional<std::string> no_regular_file(const std::filesystem::path& path, const char* if_missing = "nothing there");

/// Opens a regular file; a stream that failed for anything else.
std::ifstream open_regular_file(const std::filesystem::path& path);

/// SHA-256 of the files' contents, in hexadecimal digits, by the paths used to read them.
using FileDigests = std::map<std::filesystem::path, std::string>;

/// Collects the digest of every input file that this thread reads while the object lives. A result is identified by the
/// content that its readers found, not by earlier or later content. A collector within another one reports to both.
class ReadFiles {
 public:
  ReadFiles();
  ~ReadFiles();
  ReadFiles(const ReadFiles&) = delete;
  ReadFiles& operator=(const ReadFiles&) = delete;

  const FileDigests& digests() const { return digests_; }
  /// Adds files that were read before, or by another thread, to this collector and those around it.
  void add(const FileDigests& digests);
  /// For readers of input files: adds the content of a file to the collectors of this thread.
  static void note(const std::filesystem::path& path, std::string_view content);

 private:
  FileDigests digests_;
  ReadFiles* outer_;
};

}  // namespace lagnet
