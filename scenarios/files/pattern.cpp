#include "scenarios/files/pattern.hpp"

#include <regex>

namespace lagnet {

class Pattern::Compiled : public std::regex {
  using std::regex::regex;
};

namespace {

std::vector<std::string> groups_of(const std::smatch& found) { return {found.begin(), found.end()}; }

}  // namespace

Pattern::Pattern(const std::string& form) : compiled_(std::make_shared<const Compiled>(form)) {}

std::optional<std::vector<std::string>> Pattern::match(const std::string& text) const {
  std::smatch found;
  return std::regex_match(text, found, *compiled_) ? std::optional(groups_of(found)) : std::nullopt;
}

std::optional<std::vector<std::string>> Pattern::find(const std::string& text) const {
  std::smatch found;
  return std::regex_search(text, found, *compiled_) ? std::optional(groups_of(found)) : std::nullopt;
}

}  // namespace lagnet
