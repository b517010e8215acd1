#include "scenarios/format/collect_diagnostics.hpp"

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

void add_diagnostic(Diagnostics& diagnostics, const std::string& pointer, const Diagnostic& diagnostic) {
  const auto& [where, expected, found, place, inside] = diagnostic;
  if (place == Diagnostic::Place::pointer) return diagnostics.add(diagnostic);
  if (place == Diagnostic::Place::option)
    return diagnostics.add(child_pointer(pointer, where), expected, found, inside);
  // Those with a place in words may quote a file.
  diagnostics.add(pointer, printable(expected), printable(found), printable(place_of(diagnostic)));
}

}  // namespace lagnet
