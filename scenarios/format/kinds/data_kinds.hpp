#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/generators/data_shape.hpp"
#include "scenarios/data/preprocess.hpp"
#include "scenarios/json/choice.hpp"

namespace lagnet {

/// A source of samples with its options. load() throws Diagnosed.
struct DataSource {
  std::filesystem::path file = {};  // that the samples are read from; empty where they are generated
  DataShape shape = {};             // of samples that are generated, where a run without numbers needs no more of them
  /// From the seed; `timing_only`: for a run without numbers.
  std::function<DataSet(std::uint64_t seed, bool timing_only)> load;
  /// Reads another file like this one, with as many features; empty where samples and labels are not in one file.
  std::function<DataSet(const std::filesystem::path& file, Index features)> load_other = {};
};

/// The sources of samples: files and generators. The options of each kind are beside its reader or generator in
/// scenarios/data.
struct DataFamily {
  static constexpr std::string_view key = "source", called = "data source";
  using Common = PreprocessOptions;
  static const Catalogue<DataSource>& catalogue();
};

}  // namespace lagnet
