#include "scenarios/format/collect_diagnostics.hpp"

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

void add_diagnostic(Diagnostics& diagnostics, const std::string& pointer, const Diagnostic& diagnostic) {
  const auto& [where, expected, found, place] = diagnostic;
  if (place == Diagnostic::Place::pointer) return diagnostics.add(where, expected, found);
  if (place == Diagnostic::Place::option) return diagnostics.add(child_pointer(pointer, where), expected, found);
  // Those with a place in words may quote a file.
  const std::string in_words = printable(where);
  diagnostics.add(pointer + (pointer.empty() || in_words.empty() ? "" : ": ") + in_words, printable(expected),
                  printable(found));
}

}  // namespace lagnet
