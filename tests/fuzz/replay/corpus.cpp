#include <catch2/catch.hpp>
#include <string>

#include "checkout_paths.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "tests/fuzz/readers.hpp"

/// The corpus of the fuzzers, which run for longer with tools/fuzz.
namespace lagnet::fuzz {

TEST_CASE("Each input of the corpus is read by the reader of its kind or refused if its name begins with wrong") {
  const TemporaryFolder folder("fuzz");
  for (const Reader& reader : make_readers(folder.path())) {
    int right = 0;  // a reader whose scenario is refused whatever the file holds would read none
    for (const auto& entry :
         std::filesystem::directory_iterator(LAGNET_SOURCE_DIR "/tests/fuzz/corpus/" + reader.name)) {
      INFO(entry.path());
      const bool is_wrong = entry.path().filename().string().starts_with("wrong");
      bool is_read = is_wrong;
      CHECK_NOTHROW(is_read = reader.read(read_file(entry.path())));
      CHECK(is_read != is_wrong);
      right += is_wrong ? 0 : 1;
    }
    CAPTURE(reader.name);
    CHECK(right > 0);
  }
}

}  // namespace lagnet::fuzz
