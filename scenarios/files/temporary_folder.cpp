#include "scenarios/files/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

TemporaryFolder::TemporaryFolder(std::string_view purpose) {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  if (error)
    throw OutputError(fmt::format("the system's temporary folder (TMPDIR) cannot be used: {}", error.message()));
  std::string name = (place / fmt::format("lagnet-{}-XXXXXX", purpose)).string();
  const Commit together(name);
  if (::mkdtemp(name.data()) == nullptr) {
    const std::error_code code(errno, std::generic_category());
    throw OutputError(fmt::format("{}: cannot be written: {}", name, code.message()), code);
  }
  path_ = name;
  unfinished_.emplace(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace lagnet
