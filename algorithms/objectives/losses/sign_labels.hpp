#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

namespace lagnet {

/// What is wrong with y as the label of one of two classes, or nothing.
inline std::optional<std::string> sign_label_problem(double y) {
  if (y == 1 || y == -1) return std::nullopt;
  return fmt::format("expected -1 or +1, found {}", y);
}

}  // namespace lagnet
