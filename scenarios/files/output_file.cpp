#include "scenarios/files/output_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

void check_output(const OutputFile& file, const std::string& content) {
  const std::filesystem::path path = file.path;
  if (file.replace || !std::filesystem::is_regular_file(path)) return;
  const auto size = std::filesystem::file_size(path);
  if (size == 0 || (size == content.size() && read_file(path) == content)) return;
  throw OutputError(fmt::format(
      "{}: the file exists with other content; choose another name, or pass --replace to replace it", file.path));
}

void write_output(const OutputFile& file, const std::string& content) {
  check_output(file, content);
  replace_file(file.path, content);
}

}  // namespace lagnet
