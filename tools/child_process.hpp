#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lagnet::tools {

/// Runs a program of the search path, without a shell, and waits for it. Its output goes to a file, its messages to
/// another. Gives its exit status, 128 + n if signal n ended it, and 127 if there is no such program.
int run_program(const std::vector<std::string>& command, const std::filesystem::path& output,
                const std::filesystem::path& messages);

/// A new folder for what is not kept, gone with the object.
class ScratchFolder {
 public:
  /// Throws OutputError if none can be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace lagnet::tools
