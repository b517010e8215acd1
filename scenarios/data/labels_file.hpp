#pragma once

#include <filesystem>

#include "sim/base/array.hpp"

namespace lagnet {

/// The labels in a file of their own, for the samples in `of`: one number per line, an array of NumPy, or a Matrix
/// Market array of one column. Throws Diagnosed, also unless there is one for each of these rows.
Vector read_labels_of(const std::filesystem::path& file, const std::filesystem::path& of, Index rows);

}  // namespace lagnet
