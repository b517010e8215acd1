#include "scenarios/temporary_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "scenarios/result_folder.hpp"

namespace lagnet {

TemporaryFolder::TemporaryFolder(std::string_view purpose) {
  std::string name = (std::filesystem::temp_directory_path() / fmt::format("lagnet-{}-XXXXXX", purpose)).string();
  if (::mkdtemp(name.data()) == nullptr) throw OutputError(fmt::format("{}: cannot be written", name));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace lagnet
