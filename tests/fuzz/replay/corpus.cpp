#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "checkout_paths.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "tests/fuzz/readers.hpp"

/// The corpus of the fuzzers, which run for longer with tools/fuzz.
namespace lagnet::fuzz {

TEST_CASE("Every input of the corpus is read or refused with a sentence, by the reader of its kind") {
  const TemporaryFolder folder("fuzz");
  for (const Reader& reader : make_readers(folder.path())) {
    int inputs = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(LAGNET_SOURCE_DIR "/tests/fuzz/corpus/" + reader.name)) {
      INFO(entry.path());
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text(std::istreambuf_iterator<char>(file), {});
      CHECK_NOTHROW(reader.read(text));
      ++inputs;
    }
    CAPTURE(reader.name);
    CHECK(inputs > 0);
  }
}

}  // namespace lagnet::fuzz
