#pragma once

#include <optional>
#include <string>

namespace lagnet {

/// What is expected, where y is no label of one of two classes, or nothing.
inline std::optional<std::string> sign_label_problem(double y) {
  if (y == 1 || y == -1) return std::nullopt;
  return "-1 or +1";
}

}  // namespace lagnet
