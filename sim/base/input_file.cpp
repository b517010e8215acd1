#include "sim/base/input_file.hpp"

#include <span>
#include <system_error>

#include "sim/base/sha256.hpp"

namespace lagnet {

namespace {
thread_local ReadFiles* innermost = nullptr;
}

std::optional<std::string> no_regular_file(const std::filesystem::path& path, const char* if_missing) {
  using Type = std::filesystem::file_type;
  std::error_code error;
  switch (std::filesystem::status(path, error).type()) {
    case Type::regular:
      return std::nullopt;
    case Type::not_found:
      return if_missing;
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

ReadFiles::ReadFiles() : outer_(innermost) { innermost = this; }

ReadFiles::~ReadFiles() { innermost = outer_; }

void ReadFiles::add(const FileDigests& digests) {
  for (ReadFiles* one = this; one != nullptr; one = one->outer_)
    for (const auto& [path, sha256] : digests) one->digests_.insert_or_assign(path, sha256);
}

void ReadFiles::note(const std::filesystem::path& path, std::string_view content) {
  if (innermost != nullptr) innermost->add({{path, hexadecimal(sha256(std::as_bytes(std::span(content))))}});
}

}  // namespace lagnet
