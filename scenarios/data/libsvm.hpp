#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/storage.hpp"

namespace lagnet {

struct ReadAs;

/// The text format of LIBSVM and SVMlight: one sample per line, `label index:value index:value ...`, indices ascending
/// from 1, places not named are zero. `#` starts a comment; blank lines and a `qid:N` after the label are skipped.
/// (Chang and Lin, "LIBSVM: a library for support vector machines", 2011, README; Joachims, SVMlight.) Files of
/// scikit-learn's dump_svmlight_file count from 0 unless it is asked otherwise.
struct LibsvmOptions {
  std::filesystem::path path;
  std::optional<std::int64_t> features;
  std::optional<std::int64_t> index_base;
  bool sort = false;
  Storage storage = Storage::automatic;

  static constexpr std::string_view kind = "libsvm";
  static constexpr std::string_view summary = "a LIBSVM or SVMlight file, plain or compressed (gzip, bzip2, xz)";
  static void fields(auto& self, auto& field) {
    field("path", self.path, "the file, relative to the scenario file", any_value().required());
    field("features", self.features, "number of features; by default as many as the largest index in the file says",
          within(1, static_cast<double>(index_max)));
    field(
        "index_base", self.index_base,
        "the index of the first feature, 1 or 0; auto: 0 if an index 0 occurs or scikit-learn's comment says so, else "
        "1; a file for tests is counted like the other one",
        within(0, 1).or_word("auto"));
    field("sort", self.sort, "take the indices of a line in any order, each at most once");
    declare_storage(self, field);
  }
};

/// `as`: counts as another file did. Throws Diagnosed with every problem's line.
DataSet load(const LibsvmOptions& options, const ReadAs* as = nullptr);

}  // namespace lagnet
