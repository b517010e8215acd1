#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scenarios/data/storage.hpp"

namespace lagnet {

/// A matrix as a Matrix Market text gives it.
struct MarketMatrix {
  Index rows = 0;
  Index columns = 0;
  MatrixEntries entries;
};

/// Reads the text of `file` (its name is for messages only). Throws DataError with every problem's line.
MarketMatrix read_matrix_market(std::string_view text, const std::string& file);

/// True if the text starts with the banner of the format.
bool is_matrix_market(std::string_view text);

}  // namespace lagnet
