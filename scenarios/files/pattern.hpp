#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lagnet {

/// A regular expression (ECMAScript), for texts that others have written. Here alone, since <regex> takes over a second
/// to compile.
class Pattern {
 public:
  explicit Pattern(const std::string& form);

  /// The text and its groups, if it has this form.
  std::optional<std::vector<std::string>> match(const std::string& text) const;
  /// The first part of a text that has this form, and its groups.
  std::optional<std::vector<std::string>> find(const std::string& text) const;

 private:
  class Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace lagnet
