#include "scenarios/files/compressed.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

namespace {
namespace io = boost::iostreams;

// The filters throw on a bad checksum and, because `copy` closes them, on data that end early as well; a
// filtering_stream would close them in its destructor, where the error is lost.
template <class Filter>
std::string decompress(const std::string& packed) {
  std::string text;
  io::copy(io::compose(Filter(), io::array_source(packed.data(), packed.size())), io::back_inserter(text));
  return text;
}

struct Format {
  std::string_view name;
  std::string_view magic;
  std::string (*decompress)(const std::string&);
};

constexpr std::array<Format, 3> formats{{
    {"gzip", "\x1f\x8b", decompress<io::gzip_decompressor>},
    {"bzip2", "BZh", decompress<io::bzip2_decompressor>},
    {"xz",
     std::string_view("\xfd"
                      "7zXZ\0",
                      6),
     decompress<io::lzma_decompressor>},
}};

// A file shorter than the magic number that starts like it is taken for a truncated one: no data file is that short.
bool starts_like(std::string_view bytes, std::string_view magic) {
  const std::size_t length = std::min(bytes.size(), magic.size());
  return length > 0 && bytes.substr(0, length) == magic.substr(0, length);
}

std::string read_bytes(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    refuse_data(path.generic_string(), "a file", "nothing there");
  if (error) refuse_data(path.generic_string(), "a file", fmt::format("an error: {}", error.message()));
  if (std::filesystem::is_directory(status)) refuse_data(path.generic_string(), "a file", "a folder");
  if (!std::filesystem::is_regular_file(status)) refuse_data(path.generic_string(), "a regular file", "a special one");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::filesystem::file_size(path), '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    const std::string reason = errno != 0 ? std::generic_category().message(errno) : "it ended early";
    refuse_data(path.generic_string(), "a readable file", fmt::format("an error: {}", reason));
  }
  return bytes;
}
}  // namespace

std::string read_data_file(const std::filesystem::path& path) {
  std::string bytes = read_bytes(path);
  for (const Format& format : formats) {
    if (!starts_like(bytes, format.magic)) continue;
    try {
      return format.decompress(bytes);
    } catch (const std::ios_base::failure&) {
      refuse_data(path.generic_string(), fmt::format("whole {} data", format.name), "a truncated or damaged file");
    }
  }
  return bytes;
}

}  // namespace lagnet
