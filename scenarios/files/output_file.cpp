#include "scenarios/files/output_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

void check_output(const OutputFile& file, const std::string& content) {
  const std::filesystem::path path = file.path;
  if (file.replace || !std::filesystem::is_regular_file(path)) return;
  if (std::filesystem::file_size(path) == content.size() && read_file(path) == content) return;
  throw OutputError(
      fmt::format("{}: a file that says something else is there, and is left as it is; choose another --out, or pass "
                  "--replace",
                  file.path));
}

void write_output(const OutputFile& file, const std::string& content) {
  check_output(file, content);
  replace_file(file.path, content);
}

}  // namespace lagnet
