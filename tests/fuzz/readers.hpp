#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lagnet::fuzz {

/// One that reads files which come from anywhere.
struct Reader {
  std::string name;
  /// Reads the text as a file of its kind: true if it is one. Errors in it must be reported by one of the product's own
  /// errors, which are caught here; whatever else is thrown is a finding.
  std::function<bool(std::string_view text)> read;
};

/// All of them, by name. They work in `folder`, which must be there.
std::vector<Reader> make_readers(const std::filesystem::path& folder);

}  // namespace lagnet::fuzz
