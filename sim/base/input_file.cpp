#include "sim/base/input_file.hpp"

#include <system_error>

namespace lagnet {

std::optional<std::string> no_regular_file(const std::filesystem::path& path) {
  using Type = std::filesystem::file_type;
  std::error_code error;
  switch (std::filesystem::status(path, error).type()) {
    case Type::regular:
      return std::nullopt;
    case Type::not_found:
      return "nothing there";
    case Type::directory:
      return "a folder";
    case Type::fifo:
      return "a pipe";
    case Type::block:
    case Type::character:
      return "a device";
    case Type::socket:
      return "a socket";
    default:
      return "an error: " + error.message();
  }
}

std::ifstream open_regular_file(const std::filesystem::path& path) {
  std::ifstream file;
  if (no_regular_file(path))
    file.setstate(std::ios::failbit);
  else
    file.open(path, std::ios::binary);
  return file;
}

}  // namespace lagnet
