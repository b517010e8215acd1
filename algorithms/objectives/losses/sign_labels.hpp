#pragma once

#include <optional>
#include <string>

namespace lagnet {

/// The labels that are expected if y is no label of one of two classes; else nothing.
inline std::optional<std::string> sign_label_problem(double y) {
  if (y == 1 || y == -1) return std::nullopt;
  return "-1 or +1";
}

}  // namespace lagnet
