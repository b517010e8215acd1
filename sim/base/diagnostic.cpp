#include "sim/base/diagnostic.hpp"

namespace lagnet {

std::string place_of(const Diagnostic& diagnostic) {
  const bool has_both = !diagnostic.where.empty() && !diagnostic.inside.empty();
  return diagnostic.where + (has_both ? ": " : "") + diagnostic.inside;
}

std::string sentence(const Diagnostic& diagnostic) {
  std::string text = place_of(diagnostic);
  if (!text.empty()) text += ": ";
  if (diagnostic.expected.empty()) return text + diagnostic.found;
  text += "expected " + diagnostic.expected;
  if (!diagnostic.found.empty()) text += ", found " + diagnostic.found;
  return text;
}

std::string sentences(std::span<const Diagnostic> diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += sentence(diagnostic);
  }
  return text;
}

}  // namespace lagnet
