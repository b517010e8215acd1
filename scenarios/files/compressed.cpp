#include "scenarios/files/compressed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/concepts.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <fstream>
#include <string_view>
#include <system_error>

#include "scenarios/files/data_diagnostics.hpp"
#include "sim/base/input_file.hpp"
#include "sim/machine/allowance.hpp"

namespace lagnet {

namespace {
namespace io = boost::iostreams;

std::string in_gb(std::uintmax_t bytes) { return fmt::format("{:.3g} GB", static_cast<double>(bytes) / 1e9); }

/// The text of a data file, of which the numbers are read into about as much memory again.
std::uintmax_t most_text() { return static_cast<std::uintmax_t>(memory_budget() / 2); }

[[noreturn]] void refuse_size(const std::filesystem::path& path, const std::string& found) {
  refuse_data(path.generic_string(),
              fmt::format("a text of at most {}, half of the memory budget of runs here (--memory-budget-mib)",
                          in_gb(most_text())),
              found);
}

class TooLong : public std::exception {};

/// Appends to a text until it is too long: a few bytes can stand for any number of them.
class BoundedSink : public io::sink {
 public:
  explicit BoundedSink(std::string& text) : text_(&text) {}
  std::streamsize write(const char* bytes, std::streamsize count) {
    if (text_->size() + static_cast<std::size_t>(count) > most_text()) throw TooLong();
    text_->append(bytes, static_cast<std::size_t>(count));
    return count;
  }

 private:
  std::string* text_;  // sinks are copied
};

// The filters throw on a bad checksum and, because `copy` closes them, on data that end early as well; a
// filtering_stream would close them in its destructor, where the error is lost.
template <class Filter>
std::string decompress(const std::string& packed) {
  std::string text;
  io::copy(io::compose(Filter(), io::array_source(packed.data(), packed.size())), BoundedSink(text));
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
  if (const auto found = no_regular_file(path)) refuse_data(path.generic_string(), "a file", *found);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  const std::uintmax_t size = std::filesystem::file_size(path);
  if (size > most_text()) refuse_size(path, "more: " + in_gb(size));
  std::string bytes(size, '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    const std::string reason = errno != 0 ? std::generic_category().message(errno) : "it ended early";
    refuse_data(path.generic_string(), "a readable file", fmt::format("an error: {}", reason));
  }
  ReadFiles::note(path, bytes);
  return bytes;
}
}  // namespace

std::string read_data_file(const std::filesystem::path& path) {
  std::string bytes = read_bytes(path);
  for (const Format& format : formats) {
    if (!starts_like(bytes, format.magic)) continue;
    try {
      return format.decompress(bytes);
    } catch (const TooLong&) {
      refuse_size(path, fmt::format("more, in {} that {} unpacks", in_gb(bytes.size()), format.name));
    } catch (const std::ios_base::failure&) {
      refuse_data(path.generic_string(), fmt::format("whole {} data", format.name), "a truncated or damaged file");
    }
  }
  return bytes;
}

std::string read_data_text(const std::filesystem::path& path) {
  std::string text = read_data_file(path);
  const bool is_utf_16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  if (const std::size_t zero = text.find('\0'); is_utf_16 || zero != std::string::npos)
    refuse_data(path.generic_string(),
                "text in UTF-8 (`iconv -f UTF-16 -t UTF-8` converts UTF-16; in Excel, save as \"CSV UTF-8\")",
                is_utf_16 ? "UTF-16" : fmt::format("other data: byte {} is zero", zero + 1));
  if (text.find('\n') == std::string::npos) std::ranges::replace(text, '\r', '\n');
  return text;
}

}  // namespace lagnet
