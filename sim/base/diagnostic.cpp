#include "sim/base/diagnostic.hpp"

namespace lagnet {

std::string sentence(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.where.empty()) text += diagnostic.where + ": ";
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
