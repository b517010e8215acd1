#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/preprocess.hpp"
#include "scenarios/json/choice.hpp"

namespace lagnet {

/// The sources of samples: files and generators. The options of each kind stand beside its reader or generator in
/// scenarios/data.
struct DataFamily {
  static constexpr std::string_view key = "source", called = "data source";
  using Common = PreprocessOptions;
  static const Catalogue<DataSet, const std::filesystem::path&, std::uint64_t, bool>&
  catalogue();  // from the base folder and the seed; true: the shape alone is needed
};

}  // namespace lagnet
