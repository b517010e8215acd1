#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "scenarios/files/interruption.hpp"

namespace lagnet {

/// A new folder in the system's temporary folder; it is removed with the object, or by an interruption.
class TemporaryFolder {
 public:
  /// `purpose` is a part of its name. Throws OutputError if it cannot be made.
  explicit TemporaryFolder(std::string_view purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<Unfinished> unfinished_;
};

}  // namespace lagnet
