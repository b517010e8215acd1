#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wrestrict"  // g++ 12 warns of impossible sizes in the string inside gzip_compressor
#endif
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>

#include "scenarios/data/libsvm.hpp"
#include "scenarios/files/compressed.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_compressed_test {
namespace {

namespace io = boost::iostreams;

template <class Filter>
std::string packed(const std::string& text) {
  std::vector<char> bytes;
  io::copy(io::compose(Filter(), io::array_source(text.data(), text.size())), io::back_inserter(bytes));
  return {bytes.begin(), bytes.end()};
}

struct Packer {
  std::string name;
  std::string (*pack)(const std::string&);
};

const std::vector<Packer> packers{{"gzip", packed<io::gzip_compressor>},
                                  {"bzip2", packed<io::bzip2_compressor>},
                                  {"xz", packed<io::lzma_compressor>}};

const std::string sample = "+1 1:0.5 3:2\n-1 2:1.25\n+1 1:-3 2:4 3:5\n";

TEST_CASE("a plain file is read byte for byte") {
  const TestFolder folder;
  const std::string bytes("a\0b\r\n\xff\n", 7);
  folder.write("plain", bytes);
  CHECK(read_data_file(folder.path() / "plain") == bytes);
  folder.write("empty", "");
  CHECK(read_data_file(folder.path() / "empty").empty());
}

TEST_CASE("compressed files are recognized by their first bytes, for any name") {
  const TestFolder folder;
  for (const Packer& packer : packers) {
    folder.write("data.libsvm", packer.pack(sample));
    CHECK(read_data_file(folder.path() / "data.libsvm") == sample);
    folder.write("nothing", packer.pack(""));
    CHECK(read_data_file(folder.path() / "nothing").empty());
  }
}

TEST_CASE("a file of several compressed members gives all of them") {
  const TestFolder folder;
  for (const Packer& packer : packers) {
    folder.write("members", packer.pack(sample) + packer.pack("-1 1:7\n") + packer.pack(sample));
    CHECK(read_data_file(folder.path() / "members") == sample + "-1 1:7\n" + sample);
  }
}

TEST_CASE("a compressed file cut after any byte is an error") {
  const TestFolder folder;
  for (const Packer& packer : packers) {
    const std::string bytes = packer.pack(sample);
    REQUIRE(bytes.size() > 40);
    for (std::size_t length = 1; length < bytes.size(); ++length) {
      folder.write("cut", bytes.substr(0, length));
      INFO(packer.name << " cut to " << length << " of " << bytes.size() << " bytes");
      CHECK(problems_of(folder.path(), [&] { read_data_file(folder.path() / "cut"); }) ==
            Texts{"cut: expected whole " + packer.name + " data, found a truncated or damaged file"});
    }
  }
}

TEST_CASE("a cut inside the second member is an error") {
  const TestFolder folder;
  for (const Packer& packer : packers) {
    const std::string bytes = packer.pack(sample);
    for (std::size_t length = 1; length < bytes.size(); ++length) {
      folder.write("cut", bytes + bytes.substr(0, length));
      INFO(packer.name << " cut " << length << " bytes into the second member");
      CHECK_THROWS_AS(read_data_file(folder.path() / "cut"), Diagnosed);
    }
  }
}

TEST_CASE("a changed byte never gives other data silently") {
  const TestFolder folder;
  for (const Packer& packer : packers) {
    const std::string bytes = packer.pack(sample);
    std::size_t errors = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      folder.write("damaged", damaged);
      try {
        // A few bytes carry no content (gzip's time stamp), and without its magic number a file is plain text.
        const std::string text = read_data_file(folder.path() / "damaged");
        CHECK((text == sample || text == damaged));
      } catch (const Diagnosed&) {
        ++errors;
      }
    }
    CHECK(errors > bytes.size() / 2);
  }
}

TEST_CASE("bytes after the last member are an error") {
  const TestFolder folder;
  for (const Packer& packer : packers) {
    folder.write("tail", packer.pack(sample) + "1 1:2\n1 1:3\n");
    CHECK_THROWS_AS(read_data_file(folder.path() / "tail"), Diagnosed);
  }
}

TEST_CASE("a path other than a file is reported with its kind") {
  const TestFolder folder;
  std::filesystem::create_directory(folder.path() / "sub");
  const auto reading = [&](const std::string& name) {
    return problems_of(folder.path(), [&] { load(LibsvmOptions{.path = folder.path() / name}); });
  };
  CHECK(reading("none") == Texts{"none: expected a file, found nothing there"});
  CHECK(reading("sub") == Texts{"sub: expected a file, found a folder"});
  CHECK(reading("") == Texts{": expected a file, found a folder"});
  folder.write("file", "1 1:2\n");
  CHECK(reading("file/below").size() == 1);
}

}  // namespace
}  // namespace lagnet::data_compressed_test
