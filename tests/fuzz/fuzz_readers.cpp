#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "scenarios/files/temporary_folder.hpp"
#include "sim/machine/allowance.hpp"
#include "tests/fuzz/readers.hpp"

/// libFuzzer's program: `fuzz_readers --reader=NAME [libFuzzer's options] [folders of inputs]`.

namespace {

std::optional<lagnet::fuzz::Reader> chosen;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  static const lagnet::TemporaryFolder folder("fuzz");
  lagnet::set_memory_budget(lagnet::Bytes{256} << 20);
  const std::vector<lagnet::fuzz::Reader> readers = lagnet::fuzz::make_readers(folder.path());
  constexpr std::string_view option = "--reader=";
  for (int k = 1; k < *count; ++k) {
    const std::string_view word = (*words)[k];
    for (const lagnet::fuzz::Reader& reader : readers)
      if (word.starts_with(option) && reader.name == word.substr(option.size())) chosen = reader;
  }
  if (!chosen) {
    std::fputs("--reader=NAME must be one of:\n", stderr);
    for (const lagnet::fuzz::Reader& reader : readers) std::fprintf(stderr, "%s\n", reader.name.c_str());
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  chosen->read({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
