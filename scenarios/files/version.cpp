#include "scenarios/files/version.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <array>
#include <boost/crc.hpp>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

/// The file of the shared object that this code is in, as the module of Python has it; "" if it is in the program.
fs::path own_module() {
  static const int here = 0;
  Dl_info found{};
  void* entry = nullptr;
  if (::dladdr1(&here, &found, &entry, RTLD_DL_LINKMAP) == 0 || entry == nullptr) return {};
  return static_cast<const link_map*>(entry)->l_name;
}

/// checksum() of a file's content, read in pieces: a program with its debug information may have hundreds of megabytes.
std::string checksum_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw OutputError(fmt::format("{}: cannot be read", path.string()));
  boost::crc_32_type crc;
  std::array<char, 65536> piece;
  while (file.read(piece.data(), piece.size()) || file.gcount() > 0)
    crc.process_bytes(piece.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw OutputError(fmt::format("{}: cannot be read", path.string()));
  return fmt::format("{:08x}", crc.checksum());
}

}  // namespace

std::string_view version() { return LAGNET_VERSION; }

std::string build_identity() {
  // Where the system does not show the program, versions alone are told apart.
  static const std::string identity = [] {
    std::string text(version());
    std::error_code ignored;
    for (const fs::path& file : {fs::path("/proc/self/exe"), own_module()})
      if (!file.empty()) text += " " + (fs::exists(file, ignored) ? checksum_of_file(file) : "");
    return text;
  }();
  return identity;
}

}  // namespace lagnet
