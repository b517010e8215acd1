#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/storage.hpp"

namespace lagnet {

/// The text format of LIBSVM and SVMlight: one sample per line, `label index:value index:value ...`, indices ascending
/// from 1, places not named are zero. `#` starts a comment; blank lines and a `qid:N` after the label are skipped.
/// (Chang and Lin, "LIBSVM: a library for support vector machines", 2011, README; Joachims, SVMlight.)
struct LibsvmOptions {
  std::filesystem::path path;
  std::optional<std::int64_t> features;
  Storage storage = Storage::automatic;

  static constexpr std::string_view kind = "libsvm";
  static constexpr std::string_view summary = "a LIBSVM or SVMlight file, plain or compressed (gzip, bzip2, xz)";
  static void fields(auto& self, auto& field) {
    field("path", self.path, "the file, relative to the scenario file", any_value().required());
    field("features", self.features, "number of features; by default the largest index in the file",
          within(1, static_cast<double>(index_max)));
    declare_storage(self, field);
  }
};

/// Throws DataError with every problem's line.
DataSet load(const LibsvmOptions& options);

}  // namespace lagnet
